import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../infra/operations/api-client.ts';
import { uploadFile } from '../../infra/operations/upload-file.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { callAws } from './aws.ts';
import { deployedFunctions } from './deployed-functions.ts';
import { type Deployment, deploy, signIn } from './deployment.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { followEvent } from './follow-event.ts';
import { lagsSince, sendHealthCheck } from './lag-alarms.ts';
import { mendForEmulator, roleOf, setRights } from './roles.ts';
import { operate } from './run-program.ts';

/** The stage `local` where every call is judged by the role of whoever makes it. */
let emulator: Emulator;
let deployment: Deployment;
/** From when on the relay has all its rights, in milliseconds since 1970. */
let mendedSince: number;

beforeAll(async () => {
  emulator = await startEmulator({ judgesRights: true });
  deployment = await deploy(emulator);
  await mendForEmulator(emulator);
});
afterAll(() => emulator?.stop());

const smoke = () => {
  const { apiKey: API_KEY, apiSecret: API_SECRET } = deployment.credentials;
  const environment = { ...emulator.environment, API_KEY, API_SECRET };
  return operate(environment, 'smoke', '--base-url', deployment.baseUrl, '--stage', 'local');
};

/** What no smoke run does: files of tickets, links to files, whatever looks for somebody by an email, and turns. */
async function doTheRest({ key }: { key: ApiClient }): Promise<void> {
  const about =
    (record: string) =>
    <T>(method: string, path: string, body?: object) =>
      key.send<T>(method, `${record}${path}`, { body });
  const { id } = await key.send<{ id: string }>('POST', '/applications', { body: {} });
  const application = about(`/applications/${id}`);
  const document = await uploadFile(application, { documentKey: 'voided-check' });
  await application('GET', `/documents/${document}/link`);
  const { uniqueId } = await key.send<{ uniqueId: string }>('POST', '/tickets', {
    body: {
      subject: 'It prints nothing',
      description: 'No receipt comes out.',
      category: 'technical',
      requesterType: 'application',
      requesterId: id,
      requesterName: 'Ada Byron',
      requesterEmail: 'ada@example.com',
    },
  });
  const ticket = about(`/tickets/${uniqueId}`);
  const photo = await uploadFile(ticket, { type: 'photo' });
  const { url } = await ticket<{ url: string }>('GET', `/documents/${photo}/link`);
  expect((await fetch(url)).status).toBe(200);
  const { adminEmail: email } = deployment.credentials;
  await key.send('POST', '/auth/password-reset-request', { body: { email } });
  await key.send('GET', `/users/${encodeURIComponent(email)}`);
  const rotation = { name: 'Faults', userRotationArray: [{ userId: email, weight: 1 }] };
  const turns = await key.send<{ uniqueId: string }>('POST', '/ticket-rotations', { body: rotation });
  await key.send('POST', `/ticket-rotations/${turns.uniqueId}/simulate`, { body: { count: 1 } });
}

// The emulator gives the lines of a log the time at which their invocation ends. The relay takes one record after another: what
// it was denied before has its line before a check that was sent after has come to every queue.
test('a health check that is sent once rights are mended comes to every queue', async () => {
  const now = Date.now();
  await sendHealthCheck(emulator);
  const missing = async () => {
    const heard = (await lagsSince(emulator, now)).filter(({ at, seconds }) => at - seconds * 1000 >= now);
    return queueNames.filter((name) => heard.every(({ queue }) => queue !== name));
  };
  await expect.poll(missing).toEqual([]);
  mendedSince = Date.now();
});

test('with its rights and no others every role does its work', async () => {
  const { code, stdout } = await smoke();
  expect([code, stdout.match(/^FAILED.*/gm)]).toEqual([0, null]);
  await followEvent(emulator, deployment);
  await doTheRest(await signIn(deployment));

  const functions = deployedFunctions(deployment).map(({ name, role }) => ({
    name,
    role: JSON.stringify(role),
  }));
  const all = new Set(functions.map(({ role }) => role));
  expect(all.size).toBeGreaterThan(20);
  const idle = () => {
    const ran = new Set(
      [...emulator.log().matchAll(/Lambda worker spawned for (\S+)/g)].map(([, name]) => name),
    );
    const busy = new Set(functions.filter(({ name }) => ran.has(name)).map(({ role }) => role));
    return [...all].filter((role) => !busy.has(role));
  };
  await expect.poll(idle).toEqual([]);
  expect(await denials()).toEqual([]);
});

/** What the logs of the functions say of calls that were not allowed, but for what the relay sent before it was mended. */
async function denials(): Promise<string[]> {
  const groups = ['api', 'support', 'events'].map((part) => `/merchant-ops-local/${part}`);
  const found = await Promise.all(
    groups.map(async (logGroupName) => {
      const { events } = await callAws<{ events: { message: string; timestamp: number }[] }>(
        emulator,
        'Logs_20140328.FilterLogEvents',
        { logGroupName },
      );
      return events.filter(({ message }) => /AccessDenied/.test(message));
    }),
  );
  return found
    .flat()
    .filter(({ message, timestamp }) => timestamp >= mendedSince || !message.includes('"failed":"send"'))
    .map(({ message }) => message);
}

/** Takes a right away from the role that a function runs as; what gives it back. */
async function takeAway(functionName: string, sid: string): Promise<() => Promise<void>> {
  const called = deployedFunctions(deployment).find(
    ({ name }) => name === `merchant-ops-local-${functionName}`,
  );
  const { template = '', logicalId = '' } = called?.role ?? {};
  const found = await roleOf(emulator, `merchant-ops-local-${template.split('.')[0]}`, logicalId);
  const statements = found.statements.filter(({ Sid }) => Sid !== sid);
  expect(statements).toHaveLength(found.statements.length - 1);
  await setRights(emulator, { ...found, statements });
  return () => setRights(emulator, found);
}

// Of rights that each request needs: secrets and data keys are kept for five minutes, and some writes have several rights.
test.each([
  ['leads-list-leads', 'Query', 'lists are read: GET /leads returned 500'],
  [
    'applications-create-application-document',
    'Upload',
    'the merchant uploads the required documents: The bucket returned 403',
  ],
  [
    'applications-complete-application-document',
    'LookAtUpload',
    'the merchant uploads the required documents: ',
  ],
])('without one right of %s, %s, the smoke run fails', async (name, sid, step) => {
  const giveBack = await takeAway(name, sid);
  const { code, stdout } = await smoke();
  await giveBack();
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^FAILED.* ${step}`, 'm'));
});

test('what the relay has no right to send is seen in its log', async () => {
  const giveBack = await takeAway('events-relay', 'SendMessages');
  await sendHealthCheck(emulator);
  await expect.poll(denials).toContainEqual(expect.stringContaining('"failed":"send"'));
  await giveBack();
});

test('with all rights given back the smoke run passes', async () => {
  const { code, stdout } = await smoke();
  expect([code, stdout.match(/^FAILED.*/gm)]).toEqual([0, null]);
});
