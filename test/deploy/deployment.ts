import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { type ApiClient, apiClient } from '../../infra/operations/api-client.ts';
import type { FirstCredentials } from '../../infra/operations/create-account.ts';
import { type StageName, stageNamed } from '../../infra/stages.ts';
import { accountId, credentials, type Emulator, region } from './emulator.ts';
import { cdk, operate, successful } from './run-program.ts';

/** What clients know of a deployed stage with its first account. */
export interface Service {
  /** Where the API is. */
  baseUrl: string;
  credentials: FirstCredentials;
}

/** The stage `local` in an emulator. */
export interface Deployment extends Service {
  /** What was deployed, as the app left it. */
  assembly: string;
}

/** What was synthesized for the first deployment of a run, in the folder of the run, is deployed by all of them. */
const assembly = join(tmpdir(), 'cdk.out');

/** Bootstraps and deploys everything, and makes the first account, by the commands that an operator uses. */
export async function deploy(emulator: Emulator): Promise<Deployment> {
  const { environment } = emulator;
  const outputs = join(mkdtempSync(join(tmpdir(), 'deployment-')), 'outputs.json');
  await successful(cdk(environment, 'bootstrap', `aws://${accountId}/${region}`, '--app', ''));
  const app = existsSync(assembly) ? ['--app', assembly] : ['-c', 'stage=local', '--output', assembly];
  await successful(
    cdk(environment, 'deploy', '--all', ...app, '--require-approval', 'never', '--outputs-file', outputs),
  );
  await verifySender(emulator);
  const account = await successful(
    operate(
      environment,
      'account-create',
      ...['--stage', 'local', '--name', 'Acme', '--email', 'admin@example.com'],
    ),
  );
  return { baseUrl: addressOf(emulator, 'local', outputs), assembly, credentials: JSON.parse(account) };
}

/** Where the API of a stage is, by the file of its outputs. */
export function addressOf({ endpoint }: Emulator, stage: StageName, outputs: string): string {
  const {
    [`merchant-ops-${stage}-api`]: { Url },
  } = JSON.parse(readFileSync(outputs, 'utf8'));
  const [api] = new URL(Url).hostname.split('.');
  // By the path: not every machine resolves names below localhost.
  return `${endpoint}/_aws/execute-api/${api}/$default`;
}

/** SES takes no mail of a stage before. */
async function verifySender({ endpoint }: Emulator): Promise<void> {
  const { mailFrom = '' } = stageNamed('local');
  const EmailIdentity = mailFrom.replace(/.*<(.+)>/, '$1');
  const ses = new SESv2Client({ endpoint, region, credentials });
  await ses.send(new CreateEmailIdentityCommand({ EmailIdentity }));
  ses.destroy();
}

/** The API with the first key, and with its administrator. */
export async function signIn({
  baseUrl,
  credentials,
}: Service): Promise<{ key: ApiClient; administrator: ApiClient }> {
  const { apiKey, apiSecret, adminEmail: email, adminPassword: password, accountId: account } = credentials;
  const api = apiClient(baseUrl);
  const as = async (body: Record<string, string>) => {
    const { token } = await api.send<{ token: string }>('POST', '/auth/login', { body });
    return api.with({ authorization: `Bearer ${token}`, 'x-account-id': account });
  };
  return { key: await as({ apiKey, apiSecret }), administrator: await as({ email, password }) };
}
