import { spawn } from 'node:child_process';
import { root } from '../../infra/build/endpoints.ts';

/** What a command said, and how it ended. */
interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A command for operators, by the name of its file: runs it as they do, and resolves with what it said. */
export const operatorsCommand =
  (name: string, folder = 'infra/operations') =>
  async (...args: string[]): Promise<Said> => {
    const command = spawn(process.execPath, ['--import', 'tsx', `${folder}/${name}.ts`, ...args], {
      cwd: root,
    });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      command[stream].on('data', (text: Buffer) => {
        said[stream] += text;
      });
    const code = await new Promise<number | null>((resolve) => command.on('close', resolve));
    return { code, ...said };
  };
