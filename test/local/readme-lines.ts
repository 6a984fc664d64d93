import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { withCurl } from './curl.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The shell lines of a section of README, as they stand there. */
export function linesOf(title: string): string {
  const section = readme.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines = '']) => lines);
  if (blocks.length === 0) throw new Error(`README has no shell lines under "${title}"`);
  return blocks.join('\n');
}

/** What a shell writes that runs these lines beside a data folder; any line that fails fails the test. */
export async function runLines(
  lines: string[],
  folder: string,
  environment: Record<string, string> = {},
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-euc', lines.join('\n')], {
    cwd: folder,
    env: { ...withCurl(), ...environment },
  });
  expect(stderr).toBe('');
  return stdout;
}
