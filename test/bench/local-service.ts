import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCredentials } from '../../infra/administration/credentials.ts';
import { root } from '../../infra/build/endpoints.ts';
import project from '../../package.json' with { type: 'json' };
import { type LoadRequest, sendOne } from './http-load.ts';

export interface Service {
  url: string;
  /** The folder of the service's data. */
  folder: string;
  /** The id of the service's process. The engine is its child. */
  pid: number;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts the service as `npm start` does, with a new data folder, which `stop` deletes, and logs in. */
export async function startLocalService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-bench-'));
  const { PATH, HOME } = process.env;
  const [, ...options] = project.scripts.start.split(' ');
  const child = spawn(process.execPath, options, {
    cwd: root,
    env: { PATH, HOME, PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Ctrl-C to stop')) resolve();
    });
    ended.then(() => reject(new Error('The local service did not start.')), reject);
  });
  const credentials = readCredentials(join(folder, 'credentials.json'));
  if (!credentials) throw new Error('The local service wrote no credentials.');
  const { baseUrl: url, accountId, apiKey, apiSecret } = credentials;
  const login = { method: 'POST', url: `${url}/auth/login`, headers: {} };
  const { token } = JSON.parse(await sendOne(undefined, login, JSON.stringify({ apiKey, apiSecret })));
  const headers = { authorization: `Bearer ${token}`, 'x-account-id': accountId };
  return { url, folder, pid: child.pid ?? 0, headers, stop };
}

/** Creates records with ten requests at a time. */
export async function createMany(
  post: LoadRequest,
  count: number,
  body: (n: number) => string,
): Promise<void> {
  let next = 0;
  const creator = async () => {
    while (next < count) await sendOne(undefined, post, body(next++));
  };
  await Promise.all(Array.from({ length: 10 }, creator));
}
