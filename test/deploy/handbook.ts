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
    [...section.matchAll(/^```sh\n([^`]+)^```$/gm)]
      .flatMap(([, block = '']) => block.trim().split('\n'))
      .map((line) => ({ line: line.replace(mark, ''), needsAws: mark.test(line) })),
  ]);
  return new Map(commands.filter(([, found]) => found.length > 0));
}
