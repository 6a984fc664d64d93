import '../quiet-sdk.ts';
import { existsSync } from 'node:fs';
import { format } from 'node:util';
import { printable } from '../../shared/printable.ts';
import { CannotStart } from '../administration/cannot-start.ts';
import type { StageSettings } from '../stages.ts';
import { readSettings } from './settings.ts';

// Messages of errors may contain text of other people. The line feeds of stacks are kept.
console.error = (...values) =>
  void process.stderr.write(
    `${format(...values)
      .split('\n')
      .map(printable)
      .join('\n')}\n`,
  );

/** Prints only the message of a CannotStart. All other errors are bugs and are printed with their stacks. */
function fail(error: unknown): never {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exit(1);
}

/**
 * Stops the service when its parent process ends. A signal to npm ends npm and its shell, but does not reach the
 * service.
 */
function stopWithNpm(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 500).unref();
}

/** Reads the overrides of the stage `local`. Imports the parser only if the file exists, because this takes 250 ms. */
async function localStage(): Promise<StageSettings | undefined> {
  if (!existsSync('stages.local.json')) return undefined;
  const { overriddenStage, InvalidSettings } = await import('../stage-overrides.ts');
  try {
    return overriddenStage('local').stage;
  } catch (error) {
    throw error instanceof InvalidSettings ? new CannotStart(error.message) : error;
  }
}

try {
  const settings = readSettings(process.env, process.argv.slice(2), await localStage());
  console.log('Starting merchant-ops.');
  // Imported after the settings are validated and the message is printed, because this import takes most of
  // the start time.
  const { startRunner } = await import('./runner.ts');
  const { jsonLog, terminalLog } = await import('./log.ts');
  const write = (text: string) => process.stdout.write(text);
  const log = process.stdout.isTTY ? terminalLog(write, { colors: !process.env.NO_COLOR }) : jsonLog(write);
  const runner = await startRunner(settings, log);
  let stopping = false;
  const stop = () => {
    // The second Ctrl-C ends the process immediately.
    if (stopping) process.exit(130);
    stopping = true;
    runner.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  stopWithNpm(stop);
  runner.broken.then((reason) => {
    if (!stopping) fail(new CannotStart(reason));
  });
  console.log(runner.greeting);
} catch (error) {
  fail(error);
}
