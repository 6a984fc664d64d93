import { readFileSync, writeFileSync } from 'node:fs';
import { startTethered } from '../../infra/local/tethered-process.ts';

/** A program that writes its output to a file and is ended when this process ends. */
export interface LoggedProcess {
  /** The output so far. */
  log(): string;
  stop(): Promise<void>;
}

interface Started {
  /** The name of the program in errors. */
  name: string;
  /** The file that receives the output of the program. */
  log: string;
  /** The complete environment of the program. */
  environment: Record<string, string>;
  /** Matches the output when the program is ready. The start fails if there is no match within `seconds`. */
  serves: RegExp;
  seconds: number;
}

/**
 * Starts a program and resolves when it is ready. Throws an error with the end of the output if the program ends or is
 * not ready in time.
 */
export async function startLogged(
  { name, log, environment, serves, seconds }: Started,
  program: string,
  args: readonly string[] = [],
): Promise<LoggedProcess> {
  writeFileSync(log, '');
  const started = startTethered('/bin/sh', [
    '-c',
    'log=$1; shift; exec env -i "$@" >>"$log" 2>&1',
    'sh',
    log,
    ...Object.entries(environment).map(([variable, value]) => `${variable}=${value}`),
    program,
    ...args,
  ]);
  const written = () => readFileSync(log, 'utf8');
  const deadline = Date.now() + seconds * 1000;
  while (!serves.test(written())) {
    if (!started.isRunning() || Date.now() > deadline) {
      await started.stop();
      throw new Error(`${name} did not start: ${written().slice(-2000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { log: written, stop: started.stop };
}
