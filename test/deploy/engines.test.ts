import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../infra/administration/free-port.ts';
import { startTethered } from '../../infra/local/tethered-process.ts';
import { stageNamed } from '../../infra/stages.ts';
import { builtManifest, deploymentOf } from '../harness/deployment.ts';
import { accountId, type Emulator, region, startEmulator } from './emulator.ts';
import { cdkLocal, operate, serve, service, successful } from './run-program.ts';

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator?.stop());

/** The environment of a local service with an empty data folder. */
async function localEnvironment(): Promise<Record<string, string>> {
  return {
    ...emulator.environment,
    // This name must differ from the name of a deployed table.
    TABLE_NAME: 'merchant-ops-laptop',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'laptop-')),
    PORT: String(await freePort()),
  };
}

test('the local service runs on an emulator, and rejects a table that was created with another data folder', async () => {
  const environment = await localEnvironment();
  const started = startTethered('/usr/bin/env', [
    '-i',
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    process.execPath,
    ...service,
  ]);
  try {
    const credentials = join(String(environment.DATA_DIR), 'credentials.json');
    await expect.poll(() => existsSync(credentials) || !started.isRunning()).toBe(true);
    const output = await successful(operate(environment, 'smoke-tests', 'run'));
    expect(output).not.toMatch(/^FAILED/m);
    expect(output.match(/^ok/gm)?.length).toBeGreaterThan(15);
  } finally {
    await started.stop();
  }

  const { code, stderr } = await serve(await localEnvironment());
  expect([code, stderr.trim()]).toEqual([
    1,
    `The table "merchant-ops-laptop" at ${emulator.endpoint}/ belongs to another data folder, which contains the table's keys. Set DATA_DIR to that folder, or TABLE_NAME to a new name.`,
  ]);
});

test('cdklocal deploys, and a second deployment changes nothing', async () => {
  // The functions of this manifest are empty. This is enough, because the data stack has no functions.
  const assembly = deploymentOf(stageNamed('local'), await builtManifest()).app.outdir;
  const { environment } = emulator;
  await successful(cdkLocal(environment, 'bootstrap', `aws://${accountId}/${region}`, '--app', ''));
  const deploy = () =>
    cdkLocal(environment, 'deploy', 'data', '--app', assembly, '--require-approval', 'never');
  await successful(deploy());
  await successful(cdkLocal(environment, 'diff', 'data', '--fail', '--app', assembly));
  const { code, stderr } = await deploy();
  expect([code, /\(no changes\)/.test(stderr)]).toEqual([0, true]);
});
