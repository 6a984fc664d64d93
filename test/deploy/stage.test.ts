import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../infra/operations/api-client.ts';
import { bucketOf, stageNamed } from '../../infra/stages.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { callAws, tableNames } from './aws.ts';
import { type Deployment, deploy, signIn } from './deployment.ts';
import { accountId, credentials, type Emulator, region, startEmulator } from './emulator.ts';
import { expectEveryFunctionResponds } from './every-function.ts';
import { followEvent } from './follow-event.ts';
import { lagsSince } from './lag-alarms.ts';
import { cdk, operate, successful } from './run-program.ts';
import { stopConsumers } from './stop-consumers.ts';

/** The stage `local` in an AWS emulator, from deployment to removal. Each test requires the previous tests. */
let emulator: Emulator;
let deployment: Deployment;
let key: ApiClient;
let administrator: ApiClient;
/** Runs an operators' command for the stage. */
const run = (...args: string[]) => successful(operate(emulator.environment, ...args, '--stage', 'local'));

beforeAll(async () => {
  emulator = await startEmulator();
  deployment = await deploy(emulator);
  ({ key, administrator } = await signIn(deployment));
});
afterAll(() => emulator?.stop());

test('the smoke test passes without dead letters', async () => {
  const { apiKey: API_KEY, apiSecret: API_SECRET } = deployment.credentials;
  const environment = { ...emulator.environment, API_KEY, API_SECRET };
  const output = await successful(
    operate(environment, 'smoke-tests', 'run', '--base-url', deployment.baseUrl, '--stage', 'local'),
  );
  expect(output).toMatch(/^ok .* there are no dead letters$/m);
});

test('an event reaches the audit log, the inbox, a mail and a signed webhook request', () =>
  followEvent(emulator, deployment));

test('a scheduled function runs, and its event reaches every consumer within 30 seconds', async () => {
  const lags = () => lagsSince(emulator, 0);
  const reached = async () => new Set((await lags()).map(({ queue }) => queue));
  await expect.poll(reached).toEqual(new Set(queueNames));
  for (const { seconds } of await lags()) expect(seconds).toBeLessThan(30);
});

test('if a consumer or the relay is stopped, the alarms of the affected queues fire until the restart', () =>
  stopConsumers(emulator, deployment));

test('the deployed API rejects invalid requests with 400, 401, 403, 404 or 405', async () => {
  const anonymous = apiClient(deployment.baseUrl);
  const forged = anonymous.with({ authorization: 'Bearer no.such.token' });
  const elsewhere = key.with({ 'x-account-id': 'acc_0000000000000000' });
  type Wrong = [number, string, ApiClient, string, string, Record<string, unknown>?];
  const refusals: Wrong[] = [
    [400, 'invalid_input', key, 'POST', '/leads', { firstName: 7 }],
    [400, 'invalid_input', key, 'GET', '/leads?pageSize=0'],
    [401, 'not_authenticated', anonymous, 'GET', '/leads'],
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

test('the gateway accepts encoded paths and repeated parameters, and returns compressed pages', async () => {
  const { adminEmail } = deployment.credentials;
  const path = `/users/${encodeURIComponent(adminEmail)}`;
  expect(await administrator.send('GET', path)).toMatchObject({ email: adminEmail });
  await key.send('GET', '/tickets?status=open&status=closed');
  const page = await fetch(`${deployment.baseUrl}/docs`, { headers: { 'accept-encoding': 'br' } });
  expect([page.status, page.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(await page.text()).toMatch(/^<!doctype html>/i);
});

test('the operators’ commands succeed on the stage', async () => {
  const { accountId: account, adminEmail } = deployment.credentials;
  expect(await run('dead-letters', 'list')).toMatch(/^audit +\d+ +\S+( s)? +0 +-$/m);
  expect(await run('tickets', 'check', '--account', account)).toMatch(/: all agree\.$/m);
  expect(JSON.parse(await run('data-keys', 'rotate', '--account', account))).toMatchObject({ kid: '2' });
  const { data } = await key.send<{ data: { id: number }[] }>('GET', '/events?kind=lead_created');
  const notification = ['--event', String(data[0]?.id), '--user', adminEmail];
  expect(await run('notifications', 'explain', '--account', account, ...notification)).toContain('"record"');
  const now = Date.now();
  const instant = (milliseconds: number) => new Date(now + milliseconds).toISOString();
  const span = ['--from', instant(-3_600_000), '--to', instant(-1_000)];
  expect(await run('events', 'replay', '--account', account, ...span)).toMatch(/^[1-9]\d* events were sent/m);
});

test('an import finds the URL of the stage in the outputs of its stack', async () => {
  const { apiKey: API_KEY, apiSecret: API_SECRET } = deployment.credentials;
  const environment = { ...emulator.environment, API_KEY, API_SECRET };
  const file = join(mkdtempSync(join(tmpdir(), 'import-')), 'leads.csv');
  // The file has no rows, because rows would cause requests to the URL. Some machines cannot resolve its
  // host, which is a subdomain of localhost.
  writeFileSync(file, 'First,Last\n');
  const output = await successful(
    operate(environment, 'records', 'import', 'leads', file, '--stage', 'local'),
  );
  expect(output).toContain('0 rows: 0 created');
  const [header = ''] = readFileSync(`${file}.import-state.jsonl`, 'utf8').split('\n');
  const [api] = new URL(JSON.parse(header).baseUrl).hostname.split('.');
  expect(deployment.baseUrl).toContain(`/${api}/`);
});

test('a restored table has no difference to the table of the stage', async () => {
  const { accountId: account } = deployment.credentials;
  const at = new Date().toISOString();
  const table = { SourceTableName: 'merchant-ops-local', TargetTableName: 'merchant-ops-local-restored' };
  await callAws(emulator, 'DynamoDB_20120810.RestoreTableToPointInTime', {
    ...table,
    UseLatestRestorableTime: true,
  });
  const { TargetTableName: TableName } = table;
  const compared = JSON.parse(
    await run('restored-tables', 'compare', '--table', TableName, '--at', at, '--json'),
  );
  expect(compared).toMatchObject({ accounts: 1, dataKeysOf: account, differences: [] });
  await callAws(emulator, 'DynamoDB_20120810.DeleteTable', { TableName });
});

/**
 * Adds three kinds of files to an account: an object with two versions, a deleted object and an unfinished multipart
 * upload. Returns a function that lists all versions, delete markers and uploads of the account.
 */
async function leaveFiles({ endpoint }: Emulator, account: string): Promise<() => Promise<unknown[]>> {
  const s3 = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  const Bucket = bucketOf(stageNamed('local'), accountId, region);
  const Key = `documents/${account}/ticket/7/8`;
  for (const Body of ['one', 'two']) await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  const gone = { Bucket, Key: `incoming/${account}/ticket/7/9` };
  await s3.send(new PutObjectCommand({ ...gone, Body: 'three' }));
  await s3.send(new DeleteObjectCommand(gone));
  await s3.send(new CreateMultipartUploadCommand(gone));
  const found = async (): Promise<unknown[]> => {
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
    return [...Versions, ...DeleteMarkers, ...Uploads].filter((one) => one.Key?.includes(`/${account}/`));
  };
  // Two versions of one object, a version and the delete marker of the deleted object, and an upload.
  if ((await found()).length !== 5) throw new Error('The bucket does not keep versions and uploads.');
  return found;
}

test('an account is exported and erased completely, and another account still works', async () => {
  const made = ['--name', 'Globex', '--email', 'globex@example.com'];
  const credentials = JSON.parse(await run('accounts', 'create', ...made));
  const { accountId: account, adminEmail } = credentials;
  const { key: theirs } = await signIn({ ...deployment, credentials });
  const body = { basics: { dbaTaxId: '98-7612345' } };
  await theirs.send('POST', '/applications', { body });
  const filesLeft = await leaveFiles(emulator, account);
  const exported = (await run('accounts', 'export', '--account', account, '--reveal')).split('\n');
  expect(exported.find((line) => line.startsWith('{"kind":"application"'))).toContain('98-7612345');
  expect(exported.at(-2)).toMatch(/^{"kind":"end","counts":{.*"application":1/);
  const output = await run('accounts', 'erase', '--account', account, '--name', 'Globex', '--wait', '5');
  expect(output).toContain('The final check found:\n  0 items\n  0 files\n  0 dead letters\n  0 queues');
  const { Items } = await callAws<{ Items: object[] }>(emulator, 'DynamoDB_20120810.Scan', {
    TableName: 'merchant-ops-local',
  });
  expect(JSON.stringify(Items)).not.toMatch(new RegExp(`${account}|${adminEmail}`));
  expect(await filesLeft()).toEqual([]);
  await theirs.send('GET', '/applications', { status: 401 });
  await key.send('GET', '/applications');
});

test('every deployed function loads in Lambda’s runtime client, responds to its sample events and logs only JSON', () =>
  expectEveryFunctionResponds(emulator, deployment));

test('cdk diff reports no difference, and a second deployment changes nothing', async () => {
  await successful(cdk(emulator.environment, 'diff', '--fail', '-c', 'stage=local'));
  const { code, stderr } = await cdk(
    emulator.environment,
    ...['deploy', '--all', '--app', deployment.assembly, '--require-approval', 'never'],
  );
  expect([code, stderr.match(/\(no changes\)/g)?.length]).toEqual([0, 8]);
});

test('after the stage `local` is destroyed, no tables, queues or logs remain', async () => {
  const left = async () => {
    const { QueueUrls = [] } = await callAws<{ QueueUrls?: string[] }>(emulator, 'AmazonSQS.ListQueues', {});
    const { logGroups } = await callAws<{ logGroups: { logGroupName: string }[] }>(
      emulator,
      'Logs_20140328.DescribeLogGroups',
      {},
    );
    const names = [
      ...(await tableNames(emulator)),
      ...QueueUrls,
      ...logGroups.map(({ logGroupName }) => logGroupName),
    ];
    return names.filter((name) => name.includes('merchant-ops-local'));
  };
  expect((await left()).length).toBeGreaterThan(10);
  await successful(cdk(emulator.environment, 'destroy', '--all', '--force', '--app', deployment.assembly));
  expect(await left()).toEqual([]);
  const { status } = await fetch(`${deployment.baseUrl}/health`);
  expect(status).toBe(404);
});
