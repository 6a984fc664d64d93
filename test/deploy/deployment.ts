import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { type ApiClient, apiClient } from '../../infra/operations/api-client.ts';
import type { FirstCredentials } from '../../infra/operations/create-account.ts';
import { stageNamed } from '../../infra/stages.ts';
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
export async function deploy(emulator: Emulator): Promise<Deployment> {
  const { endpoint, environment } = emulator;
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  const assembly = join(folder, 'cdk.out');
  const outputs = join(folder, 'outputs.json');
  await successful(cdk(environment, 'bootstrap', `aws://${accountId}/${region}`, '--app', ''));
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
  await verifySender(emulator);
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

/** SES takes no mail of a stage before. */
async function verifySender({ endpoint }: Emulator): Promise<void> {
  const { mailFrom = '' } = stageNamed('local');
  const EmailIdentity = mailFrom.replace(/.*<(.+)>/, '$1');
  const credentials = { accessKeyId: accountId, secretAccessKey: 'test' };
  const ses = new SESv2Client({ endpoint, region, credentials });
  await ses.send(new CreateEmailIdentityCommand({ EmailIdentity }));
  ses.destroy();
}

/** The API with the first key, and with its administrator. */
export async function signIn({
  baseUrl,
  credentials,
}: Deployment): Promise<{ key: ApiClient; administrator: ApiClient }> {
  const { apiKey, apiSecret, adminEmail: email, adminPassword: password, accountId: account } = credentials;
  const api = apiClient(baseUrl);
  const as = async (body: Record<string, string>) => {
    const { token } = await api.send<{ token: string }>('POST', '/auth/login', { body });
    return api.with({ authorization: `Bearer ${token}`, 'x-account-id': account });
  };
  return { key: await as({ apiKey, apiSecret }), administrator: await as({ email, password }) };
}
