import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../../infra/build/endpoints.ts';
import { type LocalCredentials, readCredentials } from '../../infra/local/credentials.ts';

export interface RunningService extends LocalCredentials {
  stop(): Promise<void>;
}

/** Starts the local service in its own process and data folder, on a free port. */
export async function startService(): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-browser-'));
  const service = spawn(process.execPath, ['--import', 'tsx', 'infra/local/main.ts'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  service.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const stop = async () => {
    if (service.exitCode === null) {
      service.kill('SIGTERM');
      await once(service, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };

  const path = join(folder, 'credentials.json');
  for (let tries = 0; tries < 600 && service.exitCode === null; tries++) {
    // The credentials are written when the gateway is ready.
    const credentials = existsSync(path) ? readCredentials(path) : undefined;
    if (credentials) return { ...credentials, stop };
    await wait(100);
  }
  await stop();
  throw new Error(`The local service did not start: ${output}`);
}
