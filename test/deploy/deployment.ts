import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FirstCredentials } from '../../infra/operations/create-account.ts';
import { accountId, type Emulator, region } from './emulator.ts';
import { cdk, operate, successful } from './run-program.ts';

/** The stage `local` in an emulator, with its first account. */
export interface Deployment {
  /** Where the API is. */
  baseUrl: string;
  /** What was deployed, as the app left it. */
  assembly: string;
  credentials: FirstCredentials;
}

/** Bootstraps and deploys everything, and makes the first account, by the commands that an operator uses. */
export async function deploy(
  { endpoint, environment }: Emulator,
  ...bootstrap: string[]
): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  const assembly = join(folder, 'cdk.out');
  const outputs = join(folder, 'outputs.json');
  await successful(cdk(environment, 'bootstrap', `aws://${accountId}/${region}`, '--app', '', ...bootstrap));
  await successful(
    cdk(
      environment,
      'deploy',
      '--all',
      '-c',
      'stage=local',
      '--require-approval',
      'never',
      '--output',
      assembly,
      '--outputs-file',
      outputs,
    ),
  );
  const {
    'merchant-ops-local-api': { Url },
  } = JSON.parse(readFileSync(outputs, 'utf8'));
  const [api] = new URL(Url).hostname.split('.');
  const credentials = await successful(
    operate(
      { ...environment, TABLE_NAME: 'merchant-ops-local' },
      'account-create',
      ...['--name', 'Acme', '--email', 'admin@example.com'],
    ),
  );
  return {
    // By the path: not every machine resolves names below localhost.
    baseUrl: `${endpoint}/_aws/execute-api/${api}/$default`,
    assembly,
    credentials: JSON.parse(credentials),
  };
}
