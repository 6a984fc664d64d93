import { spawn } from 'node:child_process';
import { root } from '../../infra/build/endpoints.ts';
import { runProgram } from '../../infra/operations/command.ts';
import { ops } from '../../infra/operations/ops.ts';
import { commandHere, type Said } from './command-here.ts';
import { inOneFile } from './in-one-file.ts';
import { sentElsewhere } from './queue-sends.ts';

interface OperatorsCommand {
  /** Runs the command in the process of the tests, ten times as fast as in its own process. */
  here(...args: string[]): Promise<Said>;
  /** Bundles the command and runs it in a separate process. The process must end by itself. */
  asProcess(...args: string[]): Promise<Said>;
}

/**
 * Returns an operator's command by its noun and verb. Each test file runs its command as a process at least once.
 * test/operations/every-command.test.ts loads each command with tsx, as npm does.
 */
export const operatorsCommand = (...words: string[]): OperatorsCommand => ({
  here: (...args) => commandHere(() => runProgram(ops, [...words, ...args])),
  asProcess: async (...args) => runNode(await inOneFile('infra/operations/main.ts'), ...words, ...args),
});

/** Runs Node with these arguments in the root folder until it ends. */
export async function runNode(...args: string[]): Promise<Said> {
  const command = spawn(process.execPath, args, { cwd: root });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    command[stream].on('data', (text: Buffer) => {
      said[stream] += text;
    });
  const code = await new Promise<number | null>((resolve) => command.on('close', resolve));
  sentElsewhere();
  return { code, ...said };
}
