import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import type { FirstCredentials } from '../../infra/administration/create-account.ts';
import { type ApiClient, apiClient } from '../../infra/operations/api-client.ts';
import { type StageName, stageNamed } from '../../infra/stages.ts';
import { accountId, credentials, type Emulator, region } from './emulator.ts';
import { cdk, operate, successful } from './run-program.ts';

/** A deployed stage with its first account. */
export interface Service {
  baseUrl: string;
  credentials: FirstCredentials;
}

/** The stage `local` in an emulator. */
export interface Deployment extends Service {
  /** The folder of the synthesized templates. */
  assembly: string;
}

/** The output of CDK's synthesis. The first deployment of a test run writes it, and later ones reuse it. */
const assembly = join(tmpdir(), 'cdk.out');

/** Bootstraps and deploys all stacks, and creates the first account with the operators' command. */
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
      ...['accounts', 'create'],
      ...['--stage', 'local', '--name', 'Acme', '--email', 'admin@example.com'],
    ),
  );
  return { baseUrl: addressOf(emulator, 'local', outputs), assembly, credentials: JSON.parse(account) };
}

/** The URL of a stage's API, from the outputs file of its deployment. */
export function addressOf({ endpoint }: Emulator, stage: StageName, outputs: string): string {
  const {
    [`merchant-ops-${stage}-api`]: { Url },
  } = JSON.parse(readFileSync(outputs, 'utf8'));
  const [api] = new URL(Url).hostname.split('.');
  // Some machines do not resolve subdomains of localhost, so the path contains the API's id.
  return `${endpoint}/_aws/execute-api/${api}/$default`;
}

/** Verifies the sender address of the stage, because SES rejects mail from unverified senders. */
async function verifySender({ endpoint }: Emulator): Promise<void> {
  const { mailFrom = '' } = stageNamed('local');
  const EmailIdentity = mailFrom.replace(/.*<(.+)>/, '$1');
  const ses = new SESv2Client({ endpoint, region, credentials });
  await ses.send(new CreateEmailIdentityCommand({ EmailIdentity }));
  ses.destroy();
}

/** Returns clients of the API for the first API key and its administrator. */
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
