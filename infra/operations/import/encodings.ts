import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import iconv from 'iconv-lite';

/** Byte order marks. The mark of UTF-32LE comes first, because it begins with the mark of UTF-16LE. */
const marks = {
  'utf-32le': [0xff, 0xfe, 0, 0],
  'utf-32be': [0, 0, 0xfe, 0xff],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'utf-8': [0xef, 0xbb, 0xbf],
} as const;
export type Encoding = keyof typeof marks | 'windows-1252';

export const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16LE',
  'utf-16be': 'UTF-16BE',
  'utf-32le': 'UTF-32LE',
  'utf-32be': 'UTF-32BE',
  'windows-1252': 'Windows-1252',
};

/**
 * Yields the text of a file, chunk by chunk and without its byte order mark. Throws TypeError for bytes that are
 * invalid in the encoding.
 */
export async function* decoded(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decode = decoderOf(encoding);
  for await (const chunk of createReadStream(path)) yield decode(chunk);
  yield decode();
}

/** Returns a function that decodes the next chunk. At the end of the file, it is called without a chunk. */
function decoderOf(encoding: Encoding): (chunk?: Buffer) => string {
  if (encoding === 'utf-8' || encoding === 'utf-16le' || encoding === 'utf-16be') {
    const decoder = new TextDecoder(encoding, { fatal: true });
    return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
  }
  // TextDecoder does not support UTF-32, and decodes Windows-1252 as ISO 8859-1 in some releases of Node 22.
  const decoder = iconv.getDecoder(encoding);
  return (chunk) => {
    const text = (chunk ? decoder.write(chunk) : decoder.end()) ?? '';
    if (text.includes('\ufffd')) throw new TypeError(`The text is not valid ${encodingNames[encoding]}.`);
    return text;
  };
}

/** Encodes a part of a file. A mark at the start of the text becomes the byte order mark. */
export const encoded = (text: string, encoding: Encoding): Buffer => iconv.encode(text, encoding);

/**
 * Returns the encoding of a text file: the encoding of its byte order mark, or else the first encoding in which the
 * whole file is valid. Throws for other files, such as Excel workbooks.
 */
export async function encodingOf(path: string): Promise<Encoding> {
  const start = await startOf(path);
  const marked = Object.entries(marks).find(([, mark]) => mark.every((byte, n) => start[n] === byte));
  const candidates = marked ? [marked[0] as Encoding] : unmarkedEncodings(start);
  for (const encoding of candidates) if (await isTextIn(path, encoding)) return encoding;
  throw new Error(
    'The file is not text in UTF-8, UTF-16, UTF-32 or Windows-1252. Save it as "CSV UTF-8", and import the new file.',
  );
}

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64 * 1024));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The encodings that a file without a byte order mark may have, according to its start. */
function unmarkedEncodings(start: Buffer): readonly Encoding[] {
  const [even, odd] = [0, 1].map((side) => start.filter((byte, n) => byte === 0 && n % 2 === side).length);
  if (even === 0 && odd === 0) return isMostlyUtf8(start) ? ['utf-8'] : ['utf-8', 'windows-1252'];
  return [
    'utf-32le',
    'utf-32be',
    ...(isHighByte(odd, even, start) ? (['utf-16le'] as const) : []),
    ...(isHighByte(even, odd, start) ? (['utf-16be'] as const) : []),
  ];
}

/**
 * Reports whether the bytes with `zeros` zeros are the high bytes of UTF-16. In a table, separators, digits and spaces
 * have the high byte zero. A few zeros are damage in a file with another encoding.
 */
const isHighByte = (zeros = 0, otherZeros = 0, { length }: Buffer): boolean =>
  zeros > length / 10 && otherZeros <= zeros / 10;

/**
 * Reports whether most bytes above 127 are parts of UTF-8 characters. If such a file is not valid UTF-8, it is damaged.
 * In Windows-1252, all its characters above 127 would be wrong.
 */
function isMostlyUtf8(start: Buffer): boolean {
  const characters = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
  let count = 0;
  const others = start.toString('latin1').replace(characters, () => {
    count += 1;
    return '';
  });
  return count > (others.match(/[\x80-\xff]/g)?.length ?? 0);
}

/** Reports whether the whole file is valid in an encoding and contains no NUL, which text does not contain. */
async function isTextIn(path: string, encoding: Encoding): Promise<boolean> {
  try {
    for await (const text of decoded(path, encoding)) if (text.includes('\0')) return false;
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
