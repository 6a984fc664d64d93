import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, vi } from 'vitest';

/** Identifies the running command, so that late output of an earlier command is not captured. */
const speaking = new AsyncLocalStorage<object>();
// An enabled AsyncLocalStorage slows down every promise of this process, also in later test files.
afterAll(() => speaking.disable());

/** The output of a command and its exit code. */
export interface Said {
  code: string | number | null | undefined;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command inside the test process. A wire watcher can then respond to the command's requests, and no
 * process has to be started. Afterwards, the environment variables are restored.
 */
export async function commandHere(run: () => Promise<void>): Promise<Said> {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      if (speaking.getStore() === said) said[stream] += text;
      return true;
    }),
  );
  const [exitCode, environment] = [process.exitCode, { ...process.env }];
  process.exitCode = 0;
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const listening = new Set(signals.flatMap((signal) => process.listeners(signal)));
  try {
    await speaking.run(said, run);
    return { code: process.exitCode, ...said };
  } finally {
    process.exitCode = exitCode;
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
    for (const spy of spies) spy.mockRestore();
    for (const signal of signals)
      for (const listener of process.listeners(signal))
        if (!listening.has(listener)) process.off(signal, listener);
  }
}
