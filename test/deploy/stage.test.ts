import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../infra/operations/api-client.ts';
import { stageNamed } from '../../infra/stages.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { callAws } from './aws.ts';
import { type Deployment, deploy } from './deployment.ts';
import { accountId, type Emulator, region, startEmulator } from './emulator.ts';
import { cdk, operate, successful } from './run-program.ts';

/** The stage `local` in an emulator of AWS, from its first deployment to its end. Each test stands on those before it. */
let emulator: Emulator;
let deployment: Deployment;
/** The API with the first key. */
let key: ApiClient;
/** The same as its administrator. */
let administrator: ApiClient;

beforeAll(async () => {
  emulator = await startEmulator();
  deployment = await deploy(emulator);
  const { baseUrl, credentials } = deployment;
  const { apiKey, apiSecret, adminEmail, adminPassword } = credentials;
  const api = apiClient(baseUrl);
  const signedIn = async (body: Record<string, string>) => {
    const { token } = await api.send<{ token: string }>('POST', '/auth/login', { body });
    return api.with({ authorization: `Bearer ${token}`, 'x-account-id': credentials.accountId });
  };
  await verifySender();
  key = await signedIn({ apiKey, apiSecret });
  administrator = await signedIn({ email: adminEmail, password: adminPassword });
});
afterAll(() => emulator?.stop());

/** As an operator must, before SES takes mail of a stage. */
async function verifySender(): Promise<void> {
  const ses = new SESv2Client({
    endpoint: emulator.endpoint,
    region,
    credentials: { accessKeyId: accountId, secretAccessKey: 'test' },
  });
  const { mailFrom = '' } = stageNamed('local');
  const EmailIdentity = mailFrom.replace(/.*<(.+)>/, '$1');
  await ses.send(new CreateEmailIdentityCommand({ EmailIdentity }));
  ses.destroy();
}

interface Lead {
  id: number;
  auditLog: { event: string; apiKey: string | null }[];
}
const createLead = () => key.send<Lead>('POST', '/leads', { body: { firstName: 'Ada', lastName: 'Byron' } });

test('a smoke run passes, and nothing is given up', async () => {
  const { apiKey: API_KEY, apiSecret: API_SECRET } = deployment.credentials;
  const environment = { ...emulator.environment, API_KEY, API_SECRET };
  const said = await successful(
    operate(environment, 'smoke', '--base-url', deployment.baseUrl, '--stage', 'local'),
  );
  expect(said).toMatch(/^ok .* nothing was given up$/m);
});

test('an event reaches the audit log, the website, and a webhook as a signed request', async () => {
  const hook = await receiver(behaviours.responds(204));
  const { id: webhook, secret } = await key.send<{ id: number; secret: string }>('POST', '/webhooks', {
    body: { url: hook.url, events: ['lead_created'] },
  });
  const { adminEmail, apiKey } = deployment.credentials;
  await administrator.send('PUT', `/users/${encodeURIComponent(adminEmail)}/notification-preferences`, {
    body: [{ event: 'lead_created', deliveryPref: ['website', 'email'] }],
  });
  const lead = await createLead();

  await expect
    .poll(async () => (await key.send<Lead>('GET', `/leads/${lead.id}`)).auditLog)
    .toMatchObject([{ event: 'lead_created', apiKey }]);
  await expect
    .poll(
      async () =>
        (await administrator.send<{ data: object[] }>('GET', '/notifications?event=lead_created')).data,
    )
    .toMatchObject([{ event: 'lead_created', data: { subject: { id: lead.id } } }]);
  await expect.poll(() => hook.received).toHaveLength(1);
  const [received] = hook.received;
  const payload = new Webhook(secret).verify(
    received?.body ?? '',
    received?.headers as Record<string, string>,
  );
  expect(payload).toMatchObject({ type: 'lead_created', data: { subject: { id: lead.id } } });
  await expect
    .poll(async () => (await key.send<{ data: object[] }>('GET', `/webhooks/${webhook}/deliveries`)).data)
    .toMatchObject([{ status: 'delivered' }]);
  await expect
    .poll(mails)
    .toMatchObject([{ To: [adminEmail], Subject: expect.stringContaining('Ada Byron') }]);
  await key.send('DELETE', `/webhooks/${webhook}`);
});

/** What SES was given to send. */
async function mails(): Promise<object[]> {
  const response = await fetch(`${emulator.endpoint}/_ministack/ses/messages`);
  const { messages } = (await response.json()) as { messages: Record<string, object[]> };
  return messages[accountId] ?? [];
}

test('a scheduled function runs by the clock, and its event comes to every consumer within seconds', async () => {
  const lags = async () => {
    const { events } = await callAws<{ events: { message: string }[] }>(
      emulator,
      'Logs_20140328.FilterLogEvents',
      {
        logGroupName: '/merchant-ops-local/events',
        filterPattern: 'EventLag',
      },
    );
    const measured = events
      .filter(({ message }) => message.startsWith('{') && message.includes('"EventLag"'))
      .map(({ message }) => JSON.parse(message) as { queue: string; EventLag: number });
    return new Map(measured.map(({ queue, EventLag }) => [queue, EventLag]));
  };
  await expect.poll(async () => [...(await lags()).keys()].sort()).toEqual([...queueNames].sort());
  for (const lag of (await lags()).values()) expect(lag).toBeLessThan(30);
});

test('what is wrong is refused at the deployed door: 400, 401, 403, 404 and 405', async () => {
  const nobody = apiClient(deployment.baseUrl);
  const forged = nobody.with({ authorization: 'Bearer no.such.token' });
  const elsewhere = key.with({ 'x-account-id': 'acc_0000000000000000' });
  type Wrong = [number, string, ApiClient, string, string, Record<string, unknown>?];
  const refusals: Wrong[] = [
    [400, 'invalid_input', key, 'POST', '/leads', { firstName: 7 }],
    [400, 'invalid_input', key, 'GET', '/leads?pageSize=0'],
    [401, 'not_authenticated', nobody, 'GET', '/leads'],
    [401, 'not_authenticated', forged, 'GET', '/leads'],
    [403, 'account_forbidden', elsewhere, 'GET', '/leads'],
    [403, 'administrator_only', key, 'GET', `/accounts/${deployment.credentials.accountId}`],
    [404, 'not_found', key, 'GET', '/leads/1'],
    [404, 'route_not_found', key, 'GET', '/nowhere'],
    [405, 'method_not_allowed', key, 'PATCH', '/leads'],
  ];
  for (const [status, error, client, method, path, body] of refusals)
    expect(await client.send(method, path, { status, body })).toMatchObject({ status, error });
});

test('the gateway passes on what an address and a page may hold', async () => {
  const { adminEmail } = deployment.credentials;
  const path = `/users/${encodeURIComponent(adminEmail)}`;
  expect(await administrator.send('GET', path)).toMatchObject({ email: adminEmail });
  await key.send('GET', '/tickets?status=open&status=closed');
  const page = await fetch(`${deployment.baseUrl}/docs`, { headers: { 'accept-encoding': 'br' } });
  expect([page.status, page.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(await page.text()).toMatch(/^<!doctype html>/i);
});

test('the commands of operators work on it', async () => {
  const environment = { ...emulator.environment, TABLE_NAME: 'merchant-ops-local' };
  const run = (name: string, ...args: string[]) => successful(operate(environment, name, ...args));
  const { accountId: account } = deployment.credentials;
  expect(await run('dead-letters', 'list', '--stage', 'local')).toMatch(/^audit +\d+ +\S+( s)? +0 +-$/m);
  expect(await run('tickets-check', '--account', account)).toBe('');
  expect(await run('directory-build')).toMatch(/^1 /);
  await run('audiences-build');
  const now = Date.now();
  const instant = (milliseconds: number) => new Date(now + milliseconds).toISOString();
  const span = ['--from', instant(-3_600_000), '--to', instant(-1_000)];
  expect(await run('events-replay', '--stage', 'local', '--account', account, ...span)).toMatch(
    /^[1-9]\d* events were sent/m,
  );
});

test('nothing differs from what was deployed, and a second deployment changes nothing', async () => {
  await successful(cdk(emulator.environment, 'diff', '--fail', '-c', 'stage=local'));
  const again = cdk(
    emulator.environment,
    ...['deploy', '--all', '--app', deployment.assembly, '--require-approval', 'never'],
  );
  const { code, stderr } = await again;
  expect([code, stderr.match(/\(no changes\)/g)?.length]).toEqual([0, 5]);
});

test('destroyed, it leaves nothing that stores, runs or logs', async () => {
  const left = async () => {
    const { TableNames } = await callAws<{ TableNames: string[] }>(
      emulator,
      'DynamoDB_20120810.ListTables',
      {},
    );
    const { QueueUrls = [] } = await callAws<{ QueueUrls?: string[] }>(emulator, 'AmazonSQS.ListQueues', {});
    const { logGroups } = await callAws<{ logGroups: { logGroupName: string }[] }>(
      emulator,
      'Logs_20140328.DescribeLogGroups',
      {},
    );
    const names = [...TableNames, ...QueueUrls, ...logGroups.map(({ logGroupName }) => logGroupName)];
    return names.filter((name) => name.includes('merchant-ops-local'));
  };
  expect((await left()).length).toBeGreaterThan(10);
  await successful(cdk(emulator.environment, 'destroy', '--all', '--force', '--app', deployment.assembly));
  expect(await left()).toEqual([]);
  const { status } = await fetch(`${deployment.baseUrl}/health`);
  expect(status).toBe(404);
});
