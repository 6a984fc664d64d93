import { type ChildProcess, spawn } from 'node:child_process';

/**
 * The shell starts a background process that reads a pipe from the parent, and then becomes the engine (`exec`). When
 * the parent ends in any way, the kernel closes the pipe, and the background process kills the engine. Only the owner
 * can read the engine's files.
 */
const tether = 'umask 077; { cat <&3 >/dev/null; kill -KILL $$ 2>/dev/null; } & exec "$@" 3<&-';

/** A child process that ends with this one, even after SIGKILL. */
interface TetheredProcess {
  /** Resolves when the process has ended, with the last 4 KB of its stderr. Never rejects. */
  exited: Promise<string>;
  isRunning(): boolean;
  /** Sends SIGTERM, after 5 s SIGKILL, and resolves when the process has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a program in its own session, so that Ctrl-C reaches only this process, which needs the engine until its own
 * end. Windows has no POSIX shell: there the program ends only with `stop`.
 */
export function startTethered(program: string, args: readonly string[]): TetheredProcess {
  const child =
    process.platform === 'win32'
      ? spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true })
      : spawn('/bin/sh', ['-c', tether, 'sh', program, ...args], {
          stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
          detached: true,
        });
  const exited = exitOf(child);
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    exited,
    isRunning,
    async stop() {
      if (isRunning()) child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(force);
    },
  };
}

function exitOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4096);
  });
  return new Promise((resolve) => {
    const gone = () => {
      for (const stream of child.stdio) stream?.destroy();
      resolve(output.trim());
    };
    child.once('error', (error) => {
      output ||= error.message;
      gone();
    });
    // Waits 20 ms for the rest of stderr. A grandchild may keep the pipe open, so it does not wait for its end.
    child.once('exit', () => setTimeout(gone, 20));
  });
}
