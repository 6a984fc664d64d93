import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';

export interface Command {
  /** As it stands there. */
  line: string;
  /** The emulator refuses it, the handbook says. */
  needsAws: boolean;
}

const mark = / +# needs AWS$/;

/** The commands of the handbook by the heading that they stand under, in order. */
export function commandsOfHandbook(): Map<string, Command[]> {
  const handbook = readFileSync(join(root, 'infra', 'handbook.md'), 'utf8');
  const sections = handbook.split(/^## /m).slice(1);
  const commands = sections.map((section): [string, Command[]] => [
    section.split('\n')[0] ?? '',
    blocksOf(section)
      .flatMap((block) => block.trim().split('\n'))
      .map((line) => ({ line: line.replace(mark, ''), needsAws: mark.test(line) })),
  ]);
  return new Map(commands.filter(([, found]) => found.length > 0));
}

/** The blocks of sh of a section. Throws where one is not read: each fence opens one. */
function blocksOf(section: string): string[] {
  const blocks = [...section.matchAll(/^```sh\n([\s\S]+?)^```$/gm)].map(([, block = '']) => block);
  const fences = section.match(/^\s*```+ *sh\b/gm) ?? [];
  if (blocks.length !== fences.length)
    throw new Error(
      `The handbook has ${fences.length} fences of sh, and ${blocks.length} blocks: ${section}`,
    );
  return blocks;
}
