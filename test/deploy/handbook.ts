import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';

export interface Command {
  line: string;
  /** The emulator does not support it. */
  needsAws: boolean;
}

const mark = / +# needs AWS$/;

/** `engines.test.ts`, `stage.test.ts` and `test/templates/sam.test.ts` run the commands of this section. */
const otherTests = 'Emulators of AWS, and SAM';

/** The commands of the handbook by section, in order. */
export function commandsOfHandbook(): Map<string, Command[]> {
  const handbook = readFileSync(join(root, 'infra', 'handbook.md'), 'utf8');
  const sections = handbook
    .split(/^## /m)
    .slice(1)
    .filter((section) => !section.startsWith(otherTests));
  const commands = sections.map((section): [string, Command[]] => [
    section.split('\n')[0] ?? '',
    blocksOf(section)
      .flatMap((block) => block.trim().split('\n'))
      .map((line) => ({ line: line.replace(mark, ''), needsAws: mark.test(line) })),
  ]);
  return new Map(commands.filter(([, found]) => found.length > 0));
}

/** The sh blocks of a section. Throws for an unclosed or indented fence. */
function blocksOf(section: string): string[] {
  const blocks = [...section.matchAll(/^```sh\n([\s\S]+?)^```$/gm)].map(([, block = '']) => block);
  const fences = section.match(/^\s*```+ *sh\b/gm) ?? [];
  if (blocks.length !== fences.length)
    throw new Error(
      `The section has ${fences.length} sh fences, but ${blocks.length} complete blocks: ${section}`,
    );
  return blocks;
}
