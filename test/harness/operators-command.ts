import { spawn } from 'node:child_process';
import { root } from '../../infra/build/endpoints.ts';
import { commandHere, type Said } from './command-here.ts';
import { inOneFile } from './in-one-file.ts';
import { sentElsewhere } from './queue-sends.ts';

interface OperatorsCommand {
  /** Runs it in the process of the tests, which is ten times as fast as to start one. */
  here(...args: string[]): Promise<Said>;
  /**
   * Runs it in a process of its own, from its source in one file: that it comes to its end by itself, and goes by its own
   * environment alone.
   */
  asProcess(...args: string[]): Promise<Said>;
}

/**
 * A command for operators, by the name of its file. A file of tests runs it once as a process at least. That tsx loads
 * every one of them as npm has it is shown in test/operations/every-command.test.ts.
 */
export const operatorsCommand = (name: string, folder = 'infra/operations'): OperatorsCommand => {
  const source = `${folder}/${name}.ts`;
  let bundled: Promise<string> | undefined;
  return {
    here: (...args) => commandHere(source, ...args),
    asProcess: async (...args) => {
      bundled ??= inOneFile(source);
      return runNode(await bundled, ...args);
    },
  };
};

/** Runs Node with these arguments at the root, to the end. */
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
