import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';

interface Run {
  /** The path of vitest's configuration, relative to the root. */
  config: string;
  /** Test files and options. */
  args: readonly string[];
  /** Additional environment variables. */
  environment?: Record<string, string>;
  /** The maximum duration in milliseconds. */
  longest: number;
}

/**
 * Runs vitest and resolves with its exit code. When vitest ends, all its child
 * processes are ended. If this process receives SIGINT or SIGTERM, it forwards the signal to vitest.
 */
export function runVitest({ config, args, environment, longest }: Run): Promise<number> {
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const command = [program, 'run', '--config', config, ...args];
  const env = { ...process.env, ...environment };
  // vitest has its own process group, so that all its child processes can be ended together.
  const child = spawn(process.execPath, command, { stdio: 'inherit', env, detached: true });
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
    // The process group has no process any more.
  }
}
