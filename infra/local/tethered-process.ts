import { type ChildProcess, spawn } from 'node:child_process';

/**
 * The shell starts a background process that reads a pipe from the parent. Then `exec` replaces the shell with the
 * engine. When the parent ends for any reason, the kernel closes the pipe, and the background process kills the engine.
 * `umask` makes the engine's files readable only by the owner.
 */
const tether = 'umask 077; { cat <&3 >/dev/null; kill -KILL $$ 2>/dev/null; } & exec "$@" 3<&-';

/** A child process that ends when this process ends, even if SIGKILL ends this process. */
interface TetheredProcess {
  /** Resolves with the last 4 KB of stderr when the process has ended. Never rejects. */
  exited: Promise<string>;
  isRunning(): boolean;
  /** Sends SIGTERM, and SIGKILL after 5 s. Resolves when the process has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a program in its own session, so that Ctrl-C does not end the program before `stop` is called. Windows has no
 * POSIX shell, so only `stop` ends the program on Windows.
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
    // Waits 20 ms for the rest of stderr. Does not wait until the pipe closes, because a grandchild may keep it open.
    child.once('exit', () => setTimeout(gone, 20));
  });
}
