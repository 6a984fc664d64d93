import { spawn } from 'node:child_process';
import { root } from '../../infra/build/endpoints.ts';
import { inOneFile } from './in-one-file.ts';
import { sentElsewhere } from './queue-sends.ts';

/** What a command said, and how it ended. */
interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * A command for operators, by the name of its file: runs it and resolves with what it said. Its first run in a file of
 * tests is as operators run it; the others are the same source in one file, since loading it by tsx takes the processor
 * two seconds for every start.
 */
export const operatorsCommand = (name: string, folder = 'infra/operations') => {
  const source = `${folder}/${name}.ts`;
  let bundled: Promise<string> | undefined;
  let runs = 0;
  return async (...args: string[]): Promise<Said> => {
    runs += 1;
    if (runs === 1) return run('--import', 'tsx', source, ...args);
    bundled ??= inOneFile(source);
    return run(await bundled, ...args);
  };
};

async function run(...args: string[]): Promise<Said> {
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
