import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inOneFile } from '../harness/in-one-file.ts';
import type { ParsedFile, ParsedFiles } from './parse-mails.ts';

const run = promisify(execFile);

/** The promised CPU time for a mail in milliseconds, and the promised memory of its process in MB. */
export const parserPromise = { milliseconds: 5_000, megabytes: 256 };
/** The heap of the process in MB. The rest of the memory contains the raw mail and the files in it. */
const heap = 160;

/** Parses the mails in files in a process of their own. */
export async function parseInProcess(files: readonly string[]): Promise<ParsedFiles> {
  const program = await inOneFile('test/correspondence/parse-mails.ts');
  const { stdout } = await run(process.execPath, [`--max-old-space-size=${heap}`, program, ...files], {
    maxBuffer: 256 * 1024 * 1024,
  });
  return JSON.parse(stdout) as ParsedFiles;
}

/** Returns the files that took longer than promised. */
export const slowIn = (results: readonly ParsedFile[]): ParsedFile[] =>
  results.filter(({ milliseconds }) => milliseconds > parserPromise.milliseconds);
