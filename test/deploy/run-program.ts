import { spawn } from 'node:child_process';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';

interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program in an environment that is given whole, for four minutes at most. */
function run(file: string, args: string[], env: Record<string, string>, cwd = root): Promise<Said> {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 240_000 });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}

/** CDK's own command, as `npx cdk` is. */
export const cdk = (env: Record<string, string>, ...args: string[]): Promise<Said> =>
  run(process.execPath, [join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'), ...args], env);

/** LocalStack's wrapper of CDK's command, which npx fetches into a folder for temporary files. */
export const cdkLocal = (env: Record<string, string>, ...args: string[]): Promise<Said> =>
  run('npx', ['--yes', 'aws-cdk-local@3.0.4', ...args], {
    ...env,
    // Where a machine says which registry npm asks.
    HOME: homedir(),
    npm_config_cache: join(tmpdir(), 'npm-cache'),
    NODE_PATH: join(root, 'node_modules'),
  });

/** A command of infra/operations, as `npm run` has it. */
export const operate = (env: Record<string, string>, name: string, ...args: string[]): Promise<Said> =>
  run(process.execPath, ['--import', 'tsx', `infra/operations/${name}.ts`, ...args], env);

/** What node is told by `npm start`. */
export const service = ['--import', 'tsx', 'infra/local/main.ts'];

/** The service on this machine until it ends by itself. */
export const serve = (env: Record<string, string>): Promise<Said> => run(process.execPath, service, env);

/** A line of the shell, as somebody types it in a folder. */
export const shell = (env: Record<string, string>, folder: string, line: string): Promise<Said> =>
  run('bash', ['-euo', 'pipefail', '-c', line], env, folder);

/** What a program wrote that must succeed; otherwise throws all of it. */
export async function successful(program: Promise<Said>): Promise<string> {
  const { code, stdout, stderr } = await program;
  if (code !== 0) throw new Error(`It ended with ${code}.\n${stdout.slice(-4000)}\n${stderr.slice(-8000)}`);
  return stdout;
}
