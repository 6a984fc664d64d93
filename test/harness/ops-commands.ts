import type { Command, CommandContext } from '@stricli/core';
import { ops } from '../../infra/operations/ops.ts';

export interface NamedCommand {
  /** The noun and the verb. */
  name: string;
  words: readonly string[];
  command: Command<CommandContext>;
}

/** The operators' commands. */
export const commands: readonly NamedCommand[] = commandsIn(ops.root, []).filter(
  ({ words }) => words[0] !== 'completion',
);

function commandsIn(target: typeof ops.root, words: readonly string[]): NamedCommand[] {
  if ('loader' in target) return [{ name: words.join(' '), words, command: target }];
  return target
    .getAllEntries()
    .flatMap((entry) => commandsIn(entry.target, [...words, entry.name['convert-camel-to-kebab']]));
}

export const labelOf = (flag: string): string =>
  `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const optionsOf = ({ command }: NamedCommand): string[] =>
  Object.keys(command.parameters.flags ?? {}).map(labelOf);
