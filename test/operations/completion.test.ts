import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { completionsOf } from '../../infra/operations/command.ts';
import { ops } from '../../infra/operations/ops.ts';
import { inOneFile } from '../harness/in-one-file.ts';

test.each([
  [['ac'], ['accounts']],
  [['accounts', 's'], ['stats']],
  [
    ['accounts', 'stats', '--'],
    ['--', '--account', '--json', '--stage', '--help'],
  ],
  [['accounts', 'stats', '--json', '--acc'], ['--account']],
  [['accounts', 'stats', '--stage', 'p'], ['prod']],
  [['events', 'cause', 'lead_conv'], ['lead_converted']],
  [['accounts', 'unknown', ''], []],
])('for the words %j, %j are proposed', async (words, proposed) => {
  expect(await completionsOf(ops, words)).toEqual(proposed);
});

test('the printed script completes verbs and options in bash', async () => {
  const program = await inOneFile('infra/operations/main.ts');
  const script = `
    eval "$(node ${program} completion bash)"
    ops() { node ${program} "$@"; }
    complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ops; echo "\${COMPREPLY[@]}"; }
    complete_line ops webhooks ''
    complete_line ops webhooks status --a
    complete -p ops`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euc', script]);
  expect(stderr).toBe('');
  expect(stdout).toBe('status listen --help\n--account\ncomplete -o default -F _ops ops\n');
});
