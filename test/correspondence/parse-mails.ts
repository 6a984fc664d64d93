import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type ParsedMail, parseMail } from '../../shared/correspondence/incoming/parse-mail.ts';
import { visibleText } from '../../shared/correspondence/incoming/visible-text.ts';
import { mailLimits } from '../../shared/correspondence/mails/schema.ts';
import { peakMemory } from '../harness/peak-memory.ts';

// Parses the mails in files and finds the visible parts of their texts. Prints the results as JSON. Tests start this program
// with a limit of its memory. A file `*.txt` is only a text. Arguments: the files.

// biome-ignore lint/suspicious/noControlCharactersInRegex: the promise is that they do not occur.
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/;

/** Returns the promises that a parsed mail breaks. */
function broken(parsed: ParsedMail): string[] {
  const people = [...parsed.from, ...parsed.to, ...parsed.cc];
  const lines = [
    parsed.subject,
    ...people.flatMap(({ address, name = '' }) => [address, name]),
    ...parsed.attachments.flatMap(({ fileName, contentType }) => [fileName, contentType]),
  ];
  const checks: Record<string, boolean> = {
    'a line has no control character': !lines.some((line) => controls.test(line)),
    'no address is injected': !people.some(
      ({ address }) => address.includes('mallory') && address.includes(' '),
    ),
    'a text is well-formed': ![parsed.text, ...lines].some((line) => /\p{Surrogate}/u.test(line)),
    'a text is within the limit': Buffer.byteLength(JSON.stringify(parsed.text)) <= mailLimits.text + 2,
    'attachments are within the limit': parsed.attachments.length <= mailLimits.attachments,
    'a cut text is stated': !parsed.textCut || parsed.leftOut.length > 0,
  };
  return Object.entries(checks).flatMap(([promise, kept]) => (kept ? [] : [promise]));
}

/** The result of one file. */
export interface ParsedFile {
  file: string;
  /** The CPU time, because other programs may use the machine at the same time. */
  milliseconds: number;
  /** The promises that the parsed mail breaks. */
  broken: string[];
  leftOut: string[];
  /** What the record of the mail shows. */
  subject?: string;
  from?: string[];
  text?: string;
  attachments?: string[];
}

/** The results of a process. `peak` is the largest memory of the process, in MB. */
export interface ParsedFiles {
  results: ParsedFile[];
  peak: number;
}

async function parsedFile(path: string): Promise<ParsedFile> {
  const [file, raw] = [basename(path), readFileSync(path)];
  const start = process.cpuUsage();
  const parsed = file.endsWith('.txt') ? undefined : await parseMail(raw);
  visibleText(parsed ? parsed.text : raw.toString());
  const { user, system } = process.cpuUsage(start);
  const milliseconds = Math.round((user + system) / 1000);
  if (!parsed) return { file, milliseconds, broken: [], leftOut: [] };
  const { subject, text, leftOut } = parsed;
  return {
    ...{ file, milliseconds, broken: broken(parsed), leftOut, subject },
    from: parsed.from.map(({ address }) => address),
    text: text.slice(0, 1_000),
    attachments: parsed.attachments.map(({ fileName }) => fileName),
  };
}

const results: ParsedFile[] = [];
for (const path of process.argv.slice(2)) results.push(await parsedFile(path));
const peak = peakMemory();
console.log(JSON.stringify({ results, peak } satisfies ParsedFiles));
