import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../infra/operations/api-client.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { everyFunctionAnswers } from './answer-in-lambda.ts';
import { callAws } from './aws.ts';
import { type Deployment, deploy, signIn } from './deployment.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { followEvent } from './follow-event.ts';
import { lagsSince } from './lag-alarms.ts';
import { leaveFiles } from './leave-files.ts';
import { cdk, operate, successful } from './run-program.ts';
import { stopConsumers } from './stop-consumers.ts';

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
  ({ key, administrator } = await signIn(deployment));
});
afterAll(() => emulator?.stop());

test('a smoke run passes, and nothing is given up', async () => {
  const { apiKey: API_KEY, apiSecret: API_SECRET } = deployment.credentials;
  const environment = { ...emulator.environment, API_KEY, API_SECRET };
  const said = await successful(
    operate(environment, 'smoke', '--base-url', deployment.baseUrl, '--stage', 'local'),
  );
  expect(said).toMatch(/^ok .* there are no dead letters$/m);
});

test('an event reaches the audit log, the website, mail, and a webhook as a signed request', () =>
  followEvent(emulator, deployment));

test('a scheduled function runs by the clock, and its event comes to every consumer within seconds', async () => {
  const lags = () => lagsSince(emulator, 0);
  const heard = async () => new Set((await lags()).map(({ queue }) => queue));
  await expect.poll(heard).toEqual(new Set(queueNames));
  for (const { seconds } of await lags()) expect(seconds).toBeLessThan(30);
});

test('stopping a consumer or the relay sounds the alarms of its queues, until it runs again', () =>
  stopConsumers(emulator, deployment));

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
  const run = (name: string, ...args: string[]) =>
    successful(operate(emulator.environment, name, ...args, '--stage', 'local'));
  const { accountId: account, adminEmail } = deployment.credentials;
  expect(await run('dead-letters', 'list')).toMatch(/^audit +\d+ +\S+( s)? +0 +-$/m);
  expect(await run('tickets-check', '--account', account)).toBe('');
  expect(JSON.parse(await run('data-key-rotate', '--account', account))).toMatchObject({ kid: '2' });
  const { data } = await key.send<{ data: { id: number }[] }>('GET', '/events?kind=lead_created');
  const told = ['--event', String(data[0]?.id), '--user', adminEmail];
  expect(await run('notification-explain', '--account', account, ...told)).toContain('"record"');
  expect(await run('directory-build')).toMatch(/^1 /);
  await run('audiences-build');
  const now = Date.now();
  const instant = (milliseconds: number) => new Date(now + milliseconds).toISOString();
  const span = ['--from', instant(-3_600_000), '--to', instant(-1_000)];
  expect(await run('events-replay', '--account', account, ...span)).toMatch(/^[1-9]\d* events were sent/m);
});

test('a drill restores the table, finds it the same, and leaves none behind', async () => {
  const { accountId: account } = deployment.credentials;
  const drill = () => operate(emulator.environment, 'restore-drill', '--stage', 'local', '--json');
  // The emulator does not take it from the template.
  expect(await drill()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has no point-in-time recovery/),
  });
  await callAws(emulator, 'DynamoDB_20120810.UpdateContinuousBackups', {
    TableName: 'merchant-ops-local',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  const rehearsed = JSON.parse(await successful(drill()));
  expect(rehearsed).toMatchObject({ accounts: 1, dataKeysOf: account, differences: [] });
  const { TableNames } = await callAws<{ TableNames: string[] }>(
    emulator,
    'DynamoDB_20120810.ListTables',
    {},
  );
  expect(TableNames).toEqual(['merchant-ops-local']);
});

test('an account is exported and erased, and nothing is left of it while the other works', async () => {
  const run = (name: string, ...args: string[]) =>
    successful(operate(emulator.environment, name, ...args, '--stage', 'local'));
  const made = ['--name', 'Globex', '--email', 'globex@example.com'];
  const credentials = JSON.parse(await run('account-create', ...made));
  const { accountId: account, adminEmail } = credentials;
  const { key: theirs } = await signIn({ ...deployment, credentials });
  const body = { basics: { dbaTaxId: '98-7612345' } };
  await theirs.send('POST', '/applications', { body });
  const filesLeft = await leaveFiles(emulator, account);
  const exported = (await run('account-export', '--account', account, '--reveal')).split('\n');
  expect(exported.find((line) => line.startsWith('{"kind":"application"'))).toContain('98-7612345');
  expect(exported.at(-2)).toMatch(/^{"kind":"end","counts":{.*"application":1/);
  const said = await run('account-erase', '--account', account, '--name', 'Globex', '--wait', '5');
  expect(said).toContain('A last look found:\n  0 items\n  0 files\n  0 dead letters\n  0 queues');
  const { Items } = await callAws<{ Items: object[] }>(emulator, 'DynamoDB_20120810.Scan', {
    TableName: 'merchant-ops-local',
  });
  expect(JSON.stringify(Items)).not.toMatch(new RegExp(`${account}|${adminEmail}`));
  expect(await filesLeft()).toEqual([]);
  await theirs.send('GET', '/applications', { status: 401 });
  await key.send('GET', '/applications');
});

test(
  'every function that is deployed loads as Lambda loads it, answers what its source gives it, and writes nothing but JSON',
  () => everyFunctionAnswers(emulator, deployment),
  300_000,
);

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
