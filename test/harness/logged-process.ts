import { readFileSync, writeFileSync } from 'node:fs';
import { startTethered } from '../../infra/local/tethered-process.ts';

/** A program that writes to a file what it says, and cannot outlive this process. */
export interface LoggedProcess {
  /** What it has written so far. */
  log(): string;
  stop(): Promise<void>;
}

interface Started {
  /** What an error calls it. */
  name: string;
  /** The file that it writes to. */
  log: string;
  /** Its whole environment. */
  environment: Record<string, string>;
  /** What it writes once it serves, and how many seconds it may take to. */
  serves: RegExp;
  seconds: number;
}

/** Starts a program and resolves when it says that it serves. Throws with what it said where it ends before, or is late. */
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
