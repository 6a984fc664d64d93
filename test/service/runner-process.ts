import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { areBuilt } from '../../infra/local/bundles.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import type { AtEnd } from '../harness/temporary-folder.ts';

/** The local runner in its own process. */
export interface RunnerProcess {
  pid: number;
  /** The output of stdout and stderr so far. */
  output(): string;
  /** The exit code is null if a signal ended the process. */
  exited: Promise<{ code: number | null; stderr: string }>;
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<{ code: number | null; stderr: string }>;
}

/**
 * Starts a runner and resolves when it is ready. The runner is stopped at the end of the test. If the functions are
 * built, the runner runs from a bundled file, which loads faster. Otherwise, and with `fromSources`, it runs from the
 * sources and builds the functions, like `npm start`.
 */
export async function startRunnerProcess(
  environment: Record<string, string>,
  { fromSources = !areBuilt(), atEnd = onTestFinished as AtEnd } = {},
): Promise<RunnerProcess> {
  // The engines of the runner verify signatures, also those of commands that run in the process of the test.
  process.env.FULL_SIGNATURE = 'yes';
  const { ready, ...runner } = spawnRunner(
    await runnerArguments(fromSources),
    await runnerEnvironment(environment),
    atEnd,
  );
  const ended = await Promise.race([ready, runner.exited]);
  if (ended) throw new Error(`The runner did not start: ${ended.stderr}`);
  return runner;
}

/** Starts a runner that is expected to fail at its start. */
export const failedStart = async (environment: Record<string, string>): RunnerProcess['exited'] =>
  spawnRunner(await runnerArguments(false), await runnerEnvironment(environment), onTestFinished).exited;

const source = 'infra/local/main.ts';

/** Node's arguments to run the sources or the bundled file. */
const runnerArguments = async (fromSources: boolean): Promise<string[]> =>
  fromSources ? ['--import', 'tsx', join(root, source)] : [await inOneFile(source)];

/**
 * The environment variables of a runner. The runner hashes passwords like the test process, so that each process can
 * verify the passwords of the other. No other variables are passed, because the SDK endpoints that the test harness
 * sets would make the runner use the harness's engine.
 */
async function runnerEnvironment(environment: Record<string, string>): Promise<NodeJS.ProcessEnv> {
  const preload = pathToFileURL(await inOneFile('test/service/preload-quick-scrypt.ts'));
  const { PATH, HOME } = process.env;
  return { PATH, HOME, PORT: '0', NODE_OPTIONS: `--import=${preload}`, ...environment };
}

function spawnRunner(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  atEnd: AtEnd,
): RunnerProcess & { ready: Promise<undefined> } {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
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
      if (text.includes('Ctrl-C to stop')) resolve(undefined);
    });
  });
  return { pid: child.pid ?? 0, output: () => output, exited, kill, ready };
}
