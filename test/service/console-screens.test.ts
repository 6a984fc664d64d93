import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { LocalCredentials } from '../../infra/administration/credentials.ts';
import { writeStored } from '../../infra/administration/stored-file.ts';
import type { BuiltInReceiver } from '../../infra/local/console/built-in-receiver.ts';
import type { eventEffects } from '../../infra/local/console/event-effects.ts';
import type { MessageReason } from '../../infra/local/console/explain-message.ts';
import type { ShownMessage } from '../../infra/local/console/stored-messages.ts';
import { atEndOfAll } from '../harness/temporary-folder.ts';
import { type ConsoleService, startConsoleService } from './console-service.ts';

let running: ConsoleService;
let folder: string;
let service: LocalCredentials;
let token: string;
const atEnd = atEndOfAll();

beforeAll(async () => {
  running = await startConsoleService(atEnd);
  ({ folder, credentials: service, token } = running);
});

const local: ConsoleService['local'] = (...sent) => running.local(...sent);
const read = <T>(path: string): Promise<T> => running.read(path);

const prefer = (event: string, ...deliveryPref: string[]) =>
  running.api('PUT', `/users/${service.adminEmail}/notification-preferences`, [{ event, deliveryPref }]);

interface Messages {
  messages: { kind: string; id: string; to: string; subject: string }[];
  digests: { account: string; digest: string; period: string; userId: number; events: number }[];
}

/** Waits until the mailbox contains a message whose subject matches. */
const messageWith = (subject: RegExp) =>
  expect
    .poll(async () => (await read<Messages>('messages')).messages.find((one) => subject.test(one.subject)))
    .toBeDefined()
    .then(async () => (await read<Messages>('messages')).messages.find((one) => subject.test(one.subject)))
    .then((found) => found ?? expect.fail(`no message ${subject}`));

test('a mail is shown with its parts, its code and the reason why it was sent', async () => {
  await running.api('POST', '/auth/password-reset-request', { email: service.adminEmail });
  const { kind, id } = await messageWith(/^Reset your password$/);
  const mail = await read<ShownMessage & { frame: string; sentFor: MessageReason }>(`messages/${kind}/${id}`);
  expect(mail).toMatchObject({
    to: service.adminEmail,
    codes: [expect.stringMatching(/^mo_pw_/)],
    headers: expect.arrayContaining([{ name: 'Auto-Submitted', value: 'auto-generated' }]),
    sentFor: {
      account: service.accountId,
      user: service.adminEmail,
      notification: {
        reason: 'user_concerned',
        event: { kind: 'user_password_reset_requested' },
        explanation: {
          channels: expect.arrayContaining([expect.objectContaining({ channel: 'email', outcome: 'sent' })]),
        },
      },
    },
  });
  // The code in the console sets a new password.
  const password = 'correct horse battery staple';
  await running.api('POST', '/auth/password-reset', { token: mail.codes[0], password });
  await running.signIn(password);
});

test('a mail’s HTML can be loaded once, and its policy forbids scripts, forms and requests', async () => {
  const { kind, id } = await messageWith(/^Reset your password$/);
  const { frame, ...shown } = await read<{ frame: string; html?: string }>(`messages/${kind}/${id}`);
  expect(shown.html).toBeUndefined();
  const first = await fetch(service.baseUrl + frame);
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(first.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
  expect(await first.text()).toContain('We received a request to reset your password.');
  expect((await fetch(service.baseUrl + frame)).status).toBe(404);
});

test('a page shows an HTML response of the API in a frame with the same policy', async () => {
  const { body } = await local('POST', 'frames', { html: '<h1>INV-000001</h1>' });
  const response = await fetch(service.baseUrl + (body as { frame: string }).frame);
  expect(response.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
  expect(await response.text()).toBe('<h1>INV-000001</h1>');
});

test('files that are not messages are skipped, and an unknown message returns 404', async () => {
  writeStored(join(folder, 'mail', 'notes.eml'), 'not a mail of the mailbox');
  // Another mail can arrive at any time, such as the one about the changed password.
  const listed = async () => (await read<Messages>('messages')).messages.length;
  await expect.poll(async () => readdirSync(join(folder, 'mail')).length - (await listed())).toBe(1);
  expect((await local('GET', 'messages/mail/..%2Fcredentials')).status).toBe(404);
});

test('sending a waiting digest on request does not end its period', async () => {
  await prefer('lead_created', 'weekly_email_digest');
  await running.createLead('Digest');
  const digest = async () =>
    (await read<Messages>('messages')).digests.find((one) => one.digest === 'weekly');
  await expect.poll(digest).toMatchObject({ events: 1, user: service.adminEmail });
  expect(await local('POST', 'digests/send', await digest())).toEqual({
    status: 200,
    body: { status: 'delivered' },
  });
  const { kind, id } = await messageWith(/^1 notification from the last week in /);
  expect(await read(`messages/${kind}/${id}`)).toMatchObject({
    text: expect.stringContaining('Ada Digest'),
    sentFor: { digest: { cadence: 'weekly', total: 1, events: [{ kind: 'lead_created' }] } },
  });
  expect(await digest()).toMatchObject({ events: 1 });
  expect(await local('POST', 'digests/send', { account: service.accountId, digest: 'daily' })).toEqual({
    status: 400,
    body: { message: 'The digest is not valid.' },
  });
});

type Receiver = ReturnType<BuiltInReceiver['state']>;
type Effects = Awaited<ReturnType<typeof eventEffects>>;

interface Webhook {
  active: boolean;
  url: string;
  health: { status: string };
  disabledReason?: string;
}

const webhookNow = async (id: number | undefined) =>
  (await running.api('GET', `/webhooks/${id}`)) as unknown as Webhook;
const deliveriesNow = async (id: number | undefined) =>
  (await running.api('GET', `/webhooks/${id}/deliveries`)).data as { id: number; event: string }[];

test('the built-in receiver is subscribed through the API, verifies signatures, and fails as requested', async () => {
  expect(await local('POST', 'receiver/subscription')).toEqual({ status: 200, body: {} });
  const { webhook } = await read<Receiver>('receiver');
  const { id, url } = webhook ?? expect.fail('no webhook');
  expect(await local('PUT', 'receiver', { behaviour: 'fail' })).toMatchObject({ status: 200 });
  await running.createLead('Failing');
  const delivery = async () => (await deliveriesNow(id)).find(({ event }) => event === 'lead_created');
  await expect.poll(delivery).toMatchObject({ status: 'waiting', attempts: [{ status: 500 }] });
  expect(await webhookNow(id)).toMatchObject({ url, health: { status: 'failing' } });

  // A request without a valid signature is rejected.
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  const { received } = await read<Receiver>('receiver');
  expect(received.find((one) => one.status === 400)).toMatchObject({ rejection: expect.any(String) });

  await local('PUT', 'receiver', { behaviour: 'succeed' });
  const { id: event = 0 } = (await delivery()) ?? {};
  await running.api('POST', `/webhooks/${id}/deliveries/${event}/redeliver`);
  await expect.poll(delivery).toMatchObject({
    status: 'delivered',
    attempts: expect.arrayContaining([expect.objectContaining({ status: 200 })]),
  });

  // The sender waits 15 s for a response, so this test waits only until the request is received.
  for (const [behaviour, status] of [
    ['redirect', 302],
    ['time out', 0],
  ] as const) {
    await local('PUT', 'receiver', { behaviour });
    await running.api('POST', `/webhooks/${id}/test`);
    await expect
      .poll(async () => (await read<Receiver>('receiver')).received[0])
      .toMatchObject({ kind: 'webhook_test', status });
  }

  // The console shows the same request that the receiver received.
  const arrived = (await read<Receiver>('receiver')).received.filter(({ kind }) => kind === 'lead_created');
  const { deliveries } = await read<Effects>(`events/${service.accountId}/${event}/effects`);
  const sent = deliveries.find(({ webhookId }) => webhookId === id)?.request ?? expect.fail('no request');
  expect(sent.sameBody).toBe(true);
  for (const { body } of arrived) expect(JSON.parse(body)).toEqual(JSON.parse(sent.body));
  expect(arrived[0]?.headers).toMatchObject(sent.headers);
});

test('a receiver that responds with 410 disables its webhook, which can be activated again', async () => {
  await local('PUT', 'receiver', { behaviour: 'gone' });
  const { webhook } = await read<Receiver>('receiver');
  const state = () => webhookNow(webhook?.id);
  await running.api('POST', `/webhooks/${webhook?.id}/test`);
  await expect.poll(state).toMatchObject({ active: false, disabledReason: expect.stringContaining('410') });
  await local('PUT', 'receiver', { behaviour: 'succeed' });
  await running.api('PATCH', `/webhooks/${webhook?.id}`, { active: true });
  expect(await state()).toMatchObject({ active: true });
  expect(await local('PUT', 'receiver', { behaviour: 'explode' })).toMatchObject({ status: 400 });

  // A second subscription keeps the webhook, activates it and changes its secret.
  await local('PUT', 'receiver', { behaviour: 'gone' });
  await running.api('POST', `/webhooks/${webhook?.id}/test`);
  await expect.poll(state).toMatchObject({ active: false });
  await local('PUT', 'receiver', { behaviour: 'succeed' });
  expect(await local('POST', 'receiver/subscription')).toEqual({ status: 200, body: {} });
  expect((await read<Receiver>('receiver')).webhook).toEqual(webhook);
  expect(await state()).toMatchObject({ active: true });
  const before = (await read<Receiver>('receiver')).received[0]?.number ?? 0;
  await running.api('POST', `/webhooks/${webhook?.id}/test`);
  await expect
    .poll(async () => (await read<Receiver>('receiver')).received.filter(({ number }) => number > before))
    .toContainEqual(expect.objectContaining({ kind: 'webhook_test', status: 200 }));
});

test('a recovery delivers missed events', async () => {
  const { webhook } = await read<Receiver>('receiver');
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await running.api('POST', `/webhooks/${webhook?.id}/recover`, { since });
  // The webhook missed one event: the lead of the digest was created before the webhook.
  const recovered = async () =>
    (await deliveriesNow(webhook?.id)).filter(({ event }) => event === 'lead_created');
  await expect.poll(recovered).toHaveLength(2);
  expect(await local('DELETE', 'receiver/subscription')).toEqual({ status: 200, body: {} });
  expect(await running.api('GET', '/webhooks')).toMatchObject({ data: [] });
});

interface Queues {
  queues: { queue: string }[];
  workQueues: { name: string }[];
  deadLetters: { source: string; id: string; redriven: boolean }[];
}

test('a dead letter is inspected, redriven and deleted', async () => {
  const lead = await running.createLead('Dead');
  const { data } = (await running.api('GET', '/events?kind=lead_created', undefined)) as {
    data: { id: number; subject: { id: unknown } }[];
  };
  const event = data.find(({ subject }) => subject.id === lead.id);
  const id = event?.id;
  const body = JSON.stringify(event);
  writeStored(join(folder, 'dead-letters', 'audit', 'one.json'), body);
  writeStored(join(folder, 'dead-letters', 'relay', 'two.json'), '{"unknown":true}');

  const { queues, workQueues, deadLetters } = await read<Queues>('queues');
  expect(queues.map(({ queue }) => queue)).toContain('audit');
  expect(workQueues.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['MAIL', 'SMS', 'JOBS', 'PARTNER', 'SEALING']),
  );
  expect(deadLetters).toMatchObject([
    { source: 'audit', id: 'one', event: { kind: 'lead_created', id } },
    { source: 'relay', id: 'two' },
  ]);
  expect(await read('dead-letters/audit/one')).toMatchObject({ body, redrive: { queues: ['audit'] } });

  expect(await local('POST', 'dead-letters/audit/one/redrive')).toEqual({ status: 200, body: {} });
  await expect.poll(async () => (await read<Queues>('queues')).deadLetters).toMatchObject([{ id: 'two' }]);
  expect(await local('POST', 'dead-letters/relay/two/redrive')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Unknown content') },
  });
  expect(await local('DELETE', 'dead-letters/relay/two')).toEqual({ status: 200, body: {} });
  expect(await local('DELETE', 'dead-letters/relay/two')).toMatchObject({ status: 404 });
  expect((await read<Queues>('queues')).deadLetters).toEqual([]);
});

test('schedules report their last run and run on request', async () => {
  type State = { name: string; lastRun?: { startedAt: string; milliseconds: number } };
  const state = async () => (await read<State[]>('schedules')).find(({ name }) => name === 'sla-sweep');
  await expect.poll(state).toMatchObject({ lastRun: { milliseconds: expect.any(Number) } });
  const before = await state();
  const run = await local('POST', 'schedules/sla-sweep/run');
  expect(run).toMatchObject({ status: 200, body: { milliseconds: expect.any(Number) } });
  expect(run.body).not.toHaveProperty('error');
  expect((await state())?.lastRun?.startedAt).not.toBe(before?.lastRun?.startedAt);
  expect((await local('POST', 'schedules/nightly/run')).status).toBe(404);
});

test.each([
  ['POST', 'frames'],
  ['GET', 'messages'],
  ['GET', 'messages/mail/x'],
  ['POST', 'digests/send'],
  ['GET', 'receiver'],
  ['PUT', 'receiver'],
  ['POST', 'receiver/subscription'],
  ['DELETE', 'receiver/subscription'],
  ['PUT', 'uploads'],
  ['GET', 'queues'],
  ['GET', 'dead-letters/audit/x'],
  ['POST', 'dead-letters/audit/x/redrive'],
  ['DELETE', 'dead-letters/audit/x'],
  ['GET', 'schedules'],
  ['POST', 'schedules/sla-sweep/run'],
])('%s %s requires the token, a loopback host and the page’s own origin', async (method, path) => {
  const status = (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const url = `${service.baseUrl}/_local/api/${path}`;
      const sent = request(url, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
  expect(await status({})).toBe(401);
  expect(await status({ 'x-console-token': token, host: 'attacker.example.com' })).toBe(403);
  expect(await status({ 'x-console-token': token, origin: 'https://attacker.example.com' })).toBe(403);
});
