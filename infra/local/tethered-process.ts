import { type ChildProcess, spawn } from 'node:child_process';

/**
 * The shell opens no window for orphans: it becomes the engine (`exec`), and what it leaves behind reads a pipe
 * that nobody writes to. When the parent is gone, however it went, the kernel closes the pipe and the engine is
 * killed. What the engine writes is its owner's only.
 */
const tether = 'umask 077; { cat <&3 >/dev/null; kill -KILL $$ 2>/dev/null; } & exec "$@" 3<&-';

/** A child process that cannot outlive this one, not even after SIGKILL. */
interface TetheredProcess {
  /** Resolves when the process is gone, with the last 4 KB it wrote to stderr. Never rejects. */
  exited: Promise<string>;
  isRunning(): boolean;
  /** Asks it to end (SIGTERM), makes it end after 5 s, and resolves when it has. */
  stop(): Promise<void>;
}

/**
 * Starts a program in a session of its own, so that Ctrl-C reaches this process only and not the engine whose
 * last responses it still needs. Windows has no POSIX shell: there the program ends with `stop` only.
 */
export function startTethered(program: string, args: readonly string[]): TetheredProcess {
  const child =
    process.platform === 'win32'
      ? spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true })
      : spawn('/bin/sh', ['-c', tether, 'sh', program, ...args], {
          stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
          detached: true,
        });
  const exited = whenGone(child);
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

function whenGone(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4096);
  });
  return new Promise((resolve) => {
    const gone = () => {
      for (const stream of child.stdio) stream?.destroy();
      resolve(said.trim());
    };
    child.once('error', (error) => {
      said ||= error.message;
      gone();
    });
    // The stderr of a process may still be on its way when its exit is known; a grandchild may hold it open.
    child.once('exit', () => setTimeout(gone, 20));
  });
}
