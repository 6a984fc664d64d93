import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { areBuilt } from '../../infra/local/bundles.ts';
import { inOneFile } from '../harness/in-one-file.ts';

/**
 * The local runner as a process of its own: as `npm start` runs it where it also builds the functions, which only the
 * sources themselves can, or where the test asks for that; else the same source in one file.
 */
export interface RunnerProcess {
  pid: number;
  /** All that it has written to stdout and stderr so far. */
  output(): string;
  /** Its exit code, and what it wrote to stderr. Null where a signal ended it. */
  exited: Promise<{ code: number | null; stderr: string }>;
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<{ code: number | null; stderr: string }>;
}

/** Takes what is to be done at the end of a test; of tests that share a runner, at the end of them all. */
type AtEnd = (end: () => Promise<void> | void) => void;

/** A folder that goes with its test. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-runner-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a runner and resolves when it is ready. It ends with its test at the latest. */
export async function startRunnerProcess(
  environment: Record<string, string>,
  { fromSources = !areBuilt(), atEnd = onTestFinished as AtEnd } = {},
): Promise<RunnerProcess> {
  const { ready, ...runner } = spawnRunner(environment, fromSources ? sources : await inOne(), atEnd);
  const ended = await Promise.race([ready, runner.exited]);
  if (ended) throw new Error(`The runner did not start: ${ended.stderr}`);
  return runner;
}

/** Starts a runner that cannot start, and resolves with its exit code and what it wrote to stderr. */
export const failedStart = async (environment: Record<string, string>): RunnerProcess['exited'] =>
  spawnRunner(environment, await inOne(), onTestFinished).exited;

const source = 'infra/local/main.ts';
/** What Node is to run, with its options. */
const sources = ['--import', 'tsx', join(root, source)];
let bundled: Promise<string> | undefined;
async function inOne(): Promise<string[]> {
  bundled ??= inOneFile(source);
  return [await bundled];
}

function spawnRunner(
  environment: Record<string, string>,
  args: readonly string[],
  atEnd: AtEnd,
): RunnerProcess & { ready: Promise<undefined> } {
  // Only what a shell has: the test harness points the SDK at an engine of its own.
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH, HOME, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stderr, output] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    output += text;
  });
  const exited = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stderr }));
  });
  const kill: RunnerProcess['kill'] = (signal) => {
    child.kill(signal);
    return exited;
  };
  atEnd(async () => void (await kill('SIGKILL')));
  const ready = new Promise<undefined>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (text.includes('Ctrl-C stops')) resolve(undefined);
    });
  });
  return { pid: child.pid ?? 0, output: () => output, exited, kill, ready };
}
