import { spawn } from 'node:child_process';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';

interface Output {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program for at most 14 minutes, with only these environment variables. */
function run(file: string, args: string[], env: Record<string, string>, cwd = root): Promise<Output> {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 840_000 });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })));
}

/** Runs the same command as `npx cdk`. */
export const cdk = (env: Record<string, string>, ...args: string[]): Promise<Output> =>
  run(process.execPath, [join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'), ...args], env);

/** Runs LocalStack's wrapper of CDK, which npx downloads into a temporary cache. */
export const cdkLocal = (env: Record<string, string>, ...args: string[]): Promise<Output> =>
  run('npx', ['--yes', 'aws-cdk-local@3.0.4', ...args], {
    ...env,
    // npm reads its configuration, such as the registry, from this folder.
    HOME: homedir(),
    npm_config_cache: join(tmpdir(), 'npm-cache'),
    NODE_PATH: join(root, 'node_modules'),
  });

/** Runs an operators' command. */
export const operate = (env: Record<string, string>, ...args: string[]): Promise<Output> =>
  run(process.execPath, ['--import', 'tsx', 'infra/operations/main.ts', ...args], env);

/** The arguments with which `npm start` runs node. */
export const service = ['--import', 'tsx', 'infra/local/main.ts'];

/** Runs the local service until it exits. */
export const serve = (env: Record<string, string>): Promise<Output> => run(process.execPath, service, env);

/** Runs a shell command in a folder. */
export const shell = (env: Record<string, string>, folder: string, line: string): Promise<Output> =>
  run('bash', ['-euo', 'pipefail', '-c', line], env, folder);

/** Returns the stdout of a program. If the exit code is not 0, throws an error with the output. */
export async function successful(program: Promise<Output>): Promise<string> {
  const { code, stdout, stderr } = await program;
  if (code !== 0) throw new Error(`Exit code ${code}.\n${stdout.slice(-4000)}\n${stderr.slice(-8000)}`);
  return stdout;
}
