import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../infra/local/free-port.ts';
import { startTethered } from '../../infra/local/tethered-process.ts';
import { stageNamed } from '../../infra/stages.ts';
import { builtManifest, deploymentOf } from '../harness/deployment.ts';
import { accountId, type Emulator, region, startEmulator } from './emulator.ts';
import { cdkLocal, operate, serve, service, successful } from './run-program.ts';

/** An emulator of AWS that nothing is deployed to at first. */
let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator?.stop());

/** The environment of the service on this machine, with a data folder that is empty. */
async function onThisMachine(): Promise<Record<string, string>> {
  return {
    ...emulator.environment,
    // Beside the table that is deployed.
    TABLE_NAME: 'merchant-ops-laptop',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'laptop-')),
    PORT: String(await freePort()),
  };
}

test('the service on this machine works with the engines of an emulator, whose table then belongs to its data folder', async () => {
  const environment = await onThisMachine();
  const started = startTethered('/usr/bin/env', [
    '-i',
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    process.execPath,
    ...service,
  ]);
  try {
    const credentials = join(String(environment.DATA_DIR), 'credentials.json');
    await expect.poll(() => existsSync(credentials) || !started.isRunning()).toBe(true);
    const said = await successful(operate(environment, 'smoke'));
    expect(said).not.toMatch(/^FAILED/m);
    expect(said.match(/^ok/gm)?.length).toBeGreaterThan(15);
  } finally {
    await started.stop();
  }

  const { code, stderr } = await serve(await onThisMachine());
  expect([code, stderr.trim()]).toEqual([
    1,
    `The table "merchant-ops-laptop" at ${emulator.endpoint}/ belongs to another data folder, whose keys open it: set DATA_DIR to that folder, or TABLE_NAME to another name.`,
  ]);
});

test('cdklocal deploys, finds no difference then, and nothing to do', async () => {
  // What it deploys is a matter of CDK and the same by either command: empty functions are enough.
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
