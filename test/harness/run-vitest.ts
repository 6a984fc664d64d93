import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';

interface Run {
  /** The file that configures it, relative to the root. */
  config: string;
  /** What it finds in its environment beside what this process has. */
  environment: Record<string, string>;
  /** Milliseconds, after which it is ended. */
  longest: number;
}

/**
 * Runs vitest with the arguments of this process, and resolves with its exit code. Everything that it starts ends with it, and
 * it ends when this process is told to.
 */
export function runVitest({ config, environment, longest }: Run): Promise<number> {
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [program, 'run', '--config', config, ...process.argv.slice(2)];
  const env = { ...process.env, ...environment };
  // A group of their own, so that whatever it started and left behind can be ended with it.
  const child = spawn(process.execPath, args, { stdio: 'inherit', env, detached: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const force = setTimeout(() => child.kill('SIGKILL'), longest);
  return new Promise((resolve) =>
    child.once('exit', (code) => {
      clearTimeout(force);
      endGroup(child.pid);
      resolve(code ?? 1);
    }),
  );
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}
