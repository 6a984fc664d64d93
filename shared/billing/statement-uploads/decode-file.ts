import { TextDecoder } from 'node:util';
import { withWindows1252 } from '../../windows-1252.ts';
import { UnreadableStatement } from '../bank-statements/statement.ts';

const marks = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
  // Without a mark, the zeros of the first character show the order of its bytes. No format begins with a zero.
  { encoding: 'utf-16be', mark: [0] },
  { encoding: 'utf-16le', mark: [undefined, 0] },
] as const;

/** The encoding that a header states: that of XML, or `CHARSET:1252` of OFX 1. */
const stated = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]{1,40})["']|^\s*CHARSET\s*:\s*([\w.-]{1,40})\s*$/m;

/**
 * Returns the text of a file in UTF-8, UTF-16, or an encoding of one byte for each character. Banks state UTF-8 and write
 * another one, so the bytes decide: what is valid UTF-8 is UTF-8. Otherwise, the stated encoding is taken, or Windows-1252.
 * Throws `UnreadableStatement` for a file that is not text.
 */
export function decodeFile(bytes: Buffer): string {
  const text = textOf(bytes);
  if (text.includes('\0')) throw new UnreadableStatement('must be a text file');
  return text;
}

function textOf(bytes: Buffer): string {
  const marked = marks.find(({ mark }) => mark.every((byte, at) => byte === undefined || bytes[at] === byte));
  try {
    return new TextDecoder(marked?.encoding ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    if (marked) throw new UnreadableStatement(`must be valid ${marked.encoding.toUpperCase()}`);
  }
  const [, ofXml, ofOfx] = stated.exec(bytes.subarray(0, 1_000).toString('latin1')) ?? [];
  return decoderOf(ofXml ?? ofOfx ?? '')?.decode(bytes) ?? withWindows1252(bytes.toString('latin1'));
}

/** Returns the decoder of an encoding of one byte for each character, other than Windows-1252. */
function decoderOf(name: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(/^\d{4}$/.test(name) ? `windows-${name}` : name);
    return /^(?:iso-8859|windows-125|ibm8|koi8|macintosh)/.test(decoder.encoding) &&
      decoder.encoding !== 'windows-1252'
      ? decoder
      : undefined;
  } catch {
    return undefined;
  }
}
