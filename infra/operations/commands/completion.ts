import type { CommandContext, RouteMap } from '@stricli/core';
import { command, group } from '../command.ts';
import { print } from '../print.ts';

/** Declares the commands of the completion. `propose` returns the completions of the last word of a command line. */
export function completionCommands(
  propose: (words: readonly string[]) => Promise<string[]>,
): RouteMap<CommandContext> {
  const bash = shellCommand('bash', script);
  const zsh = shellCommand('zsh', [...bashCompletionInZsh, ...script]);
  const words = command({
    brief: 'Prints the completions of the last word of a command line',
    flags: {},
    positional: {
      kind: 'array',
      parameter: { placeholder: 'word', brief: 'words of a command line', parse: String },
    },
    loader:
      async () =>
      async (_: Readonly<Record<string, never>>, ...given: string[]) =>
        print(undefined, await propose(given)),
  });
  return group('Complete commands and options in a shell', { bash, zsh, words });
}

const shellCommand = (shell: string, lines: readonly string[]) =>
  command({
    brief: `Prints the function ops with its completion in ${shell}`,
    notes: [
      `To use the function in the running shell, run eval "$(npm run --silent ops -- completion ${shell})".`,
    ],
    flags: {},
    loader: async () => () => print(undefined, lines),
  });

const script = `ops() { npm run --silent ops -- "$@"; }
_ops() {
  local IFS=$'\\n'
  COMPREPLY=($(ops completion words -- "\${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _ops ops`.split('\n');

const bashCompletionInZsh = ['autoload -Uz compinit bashcompinit', 'compinit', 'bashcompinit'];
