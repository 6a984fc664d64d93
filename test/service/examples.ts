import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { withCurl } from './curl.ts';

/** The path of the page with the guided tours. */
export const tour = join('infra', 'openapi', 'TOUR.md');

/** The tests run the shell blocks in these sections of README. */
export const journey = ['A first request', 'What you can see', 'Ten calls from a lead to a ticket'];

/** A shell block of a document. */
interface Example {
  /** The heading of the block's section. */
  heading: string;
  lines: string;
  /** The documented output, if any. */
  shown?: string;
}

/** The shell blocks of a document in their order. */
export function examplesOf(page: string): Example[] {
  const text = readFileSync(join(root, page), 'utf8');
  const examples: Example[] = [];
  let heading = '';
  for (const [, title, language, block = ''] of text.matchAll(/^## ([^\n]*)$|^```(\w*)\n(.*?)^```$/gms)) {
    const last = examples.at(-1);
    if (title !== undefined) heading = title;
    else if (language === 'sh') examples.push({ heading, lines: block });
    else if (last?.heading === heading && (language === 'json' || language === 'text')) last.shown = block;
  }
  return examples;
}

/** The shell blocks under a heading. Throws if there are none. */
export function examplesUnder(page: string, heading: string): Example[] {
  const examples = examplesOf(page).filter((example) => example.heading === heading);
  if (examples.length === 0) throw new Error(`${page} has no shell block under "${heading}"`);
  return examples;
}

/**
 * Runs shell blocks one after the other, in one shell and in a folder that contains the data folder `.local`. Fails the
 * test if a line fails or if an output differs from the documented output. Returns all output.
 */
export async function runExamples(
  examples: readonly Pick<Example, 'lines' | 'shown'>[],
  folder: string,
  environment: Record<string, string> = {},
): Promise<string> {
  const end = '--- end of a block ---';
  // If a line fails, a process in the background would run on.
  const endJobs = "trap 'jobs -p >jobs; xargs kill <jobs 2>/dev/null || :' EXIT\n";
  const script = examples.map(({ lines }) => `${lines}\necho '${end}'\n`).join('');
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-euc', endJobs + script], {
    cwd: folder,
    env: { ...withCurl(), ...environment },
  });
  expect(stderr).toBe('');
  const outputs = stdout.split(`${end}\n`);
  for (const [n, { lines, shown }] of examples.entries())
    if (shown !== undefined) expect(comparable(outputs[n] ?? ''), lines).toBe(comparable(shown));
  return outputs.join('');
}

/** Values that differ from run to run. */
const changing = /\b(?:(mo|evt|acc|app|own|tkt)_\w+|\d{15,16}\b|\d{4}-\d\d-\d\dT[\d:.]+Z)/g;

/**
 * Removes each line break before an indent, together with the indent. Replaces each changing value with a name. Equal
 * values get the same name.
 */
function comparable(output: string): string {
  const names = new Map<string, string>();
  const nameOf = (value: string, kind = 'value') => {
    const name = names.get(value) ?? `<${kind} ${names.size + 1}>`;
    names.set(value, name);
    return name;
  };
  return output.replaceAll(/\n\s+/g, '').replaceAll(changing, nameOf).trim();
}
