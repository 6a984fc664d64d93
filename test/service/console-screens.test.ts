import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { LocalCredentials } from '../../infra/administration/credentials.ts';
import { startPartnerSimulator } from '../../infra/administration/partner/simulator.ts';
import { writeStored } from '../../infra/administration/stored-file.ts';
import type { ItemWithLinks } from '../../infra/local/console/browse-table.ts';
import type { BuiltInReceiver } from '../../infra/local/console/built-in-receiver.ts';
import type { MessageReason } from '../../infra/local/console/explain-message.ts';
import type { readExchange, readPartner } from '../../infra/local/console/read-partner.ts';
import type { readRules } from '../../infra/local/console/read-rules.ts';
import type { readDeliveries } from '../../infra/local/console/read-webhooks.ts';
import type { ShownMessage } from '../../infra/local/console/stored-messages.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import { tenantPartition } from '../../shared/table/keys.ts';
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

test('after the administrator’s password was changed, a change that only users may make is rejected with the reason', async () => {
  expect(await local('POST', 'domains', { domain: 'pay.example.com' })).toEqual({
    status: 401,
    body: { message: expect.stringMatching(/The console signs in with the first password/) },
  });
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

test('files that are not messages are skipped, and an unknown message returns 404', async () => {
  writeStored(join(folder, 'mail', 'notes.eml'), 'not a mail of the mailbox');
  const { messages } = await read<Messages>('messages');
  expect(messages.length).toBe(readdirSync(join(folder, 'mail')).length - 1);
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
type Deliveries = NonNullable<Awaited<ReturnType<typeof readDeliveries>>>;

test('the built-in receiver is subscribed through the API, verifies signatures, and fails as requested', async () => {
  expect(await local('POST', 'receiver/subscription')).toEqual({ status: 200, body: {} });
  const { webhook } = await read<Receiver>('receiver');
  const { id, url } = webhook ?? expect.fail('no webhook');
  expect(await local('PUT', 'receiver', { behaviour: 'fail' })).toMatchObject({ status: 200 });
  await running.createLead('Failing');
  const delivery = async () =>
    (await read<Deliveries>(`webhooks/${id}`)).deliveries.find(({ event }) => event === 'lead_created');
  await expect.poll(delivery).toMatchObject({ status: 'waiting', attempts: [{ status: 500 }] });
  expect(await read<Deliveries>(`webhooks/${id}`)).toMatchObject({
    webhook: { url, health: { status: 'failing' } },
  });

  // A request without a valid signature is rejected.
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  const { received } = await read<Receiver>('receiver');
  expect(received.find((one) => one.status === 400)).toMatchObject({ rejection: expect.any(String) });

  await local('PUT', 'receiver', { behaviour: 'succeed' });
  const { id: event = 0 } = (await delivery()) ?? {};
  expect(await local('POST', `webhooks/${id}/deliveries/${event}/redeliver`)).toEqual({
    status: 200,
    body: {},
  });
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
    await local('POST', `webhooks/${id}/test`);
    await expect
      .poll(async () => (await read<Receiver>('receiver')).received[0])
      .toMatchObject({ kind: 'webhook_test', status });
  }

  // For each attempt, the console shows the same request that the receiver received.
  const arrived = (await read<Receiver>('receiver')).received.filter(({ kind }) => kind === 'lead_created');
  const sent = await read<{ body: string; attempts: { headers: object; sameBody: boolean }[] }>(
    `webhooks/${id}/deliveries/${event}`,
  );
  expect(new Set(arrived.map(({ body }) => body))).toEqual(new Set([sent.body]));
  expect(sent.attempts.every(({ sameBody }) => sameBody)).toBe(true);
  for (const { headers } of sent.attempts)
    expect(arrived.map((one) => one.headers)).toContainEqual(expect.objectContaining(headers));
});

test('a receiver that responds with 410 disables its webhook, which can be activated again', async () => {
  await local('PUT', 'receiver', { behaviour: 'gone' });
  const { webhook } = await read<Receiver>('receiver');
  const state = async () => (await read<Deliveries>(`webhooks/${webhook?.id}`)).webhook;
  expect(await local('POST', `webhooks/${webhook?.id}/test`)).toEqual({ status: 200, body: {} });
  await expect.poll(state).toMatchObject({ active: false, disabledReason: expect.stringContaining('410') });
  await local('PUT', 'receiver', { behaviour: 'succeed' });
  expect(await local('POST', `webhooks/${webhook?.id}/activate`)).toEqual({ status: 200, body: {} });
  expect(await state()).toMatchObject({ active: true });
  expect(await local('PUT', 'receiver', { behaviour: 'explode' })).toMatchObject({ status: 400 });

  // A second subscription keeps the webhook, activates it and changes its secret.
  await local('PUT', 'receiver', { behaviour: 'gone' });
  expect(await local('POST', `webhooks/${webhook?.id}/test`)).toEqual({ status: 200, body: {} });
  await expect.poll(state).toMatchObject({ active: false });
  await local('PUT', 'receiver', { behaviour: 'succeed' });
  expect(await local('POST', 'receiver/subscription')).toEqual({ status: 200, body: {} });
  expect((await read<Receiver>('receiver')).webhook).toEqual(webhook);
  expect(await state()).toMatchObject({ active: true });
  const before = (await read<Receiver>('receiver')).received[0]?.number ?? 0;
  expect(await local('POST', `webhooks/${webhook?.id}/test`)).toEqual({ status: 200, body: {} });
  await expect
    .poll(async () => (await read<Receiver>('receiver')).received.filter(({ number }) => number > before))
    .toContainEqual(expect.objectContaining({ kind: 'webhook_test', status: 200 }));
});

test('a recovery delivers missed events, and errors of the API are shown', async () => {
  const { webhook } = await read<Receiver>('receiver');
  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect(await local('POST', `webhooks/${webhook?.id}/recover`, { since })).toEqual({
    status: 200,
    body: {},
  });
  // The webhook missed one event: the lead of the digest was created before the webhook.
  const recovered = async () =>
    (await read<Deliveries>(`webhooks/${webhook?.id}`)).deliveries.filter(
      ({ event }) => event === 'lead_created',
    );
  await expect.poll(recovered).toHaveLength(2);
  expect(await local('POST', `webhooks/${webhook?.id}/recover`, { since: 'yesterday' })).toMatchObject({
    status: 400,
    body: { message: expect.any(String) },
  });
  expect(await local('DELETE', 'receiver/subscription')).toEqual({ status: 200, body: {} });
  expect(await read<unknown[]>('webhooks')).toEqual([]);
});

interface Queues {
  queues: { queue: string }[];
  workQueues: { name: string }[];
  deadLetters: { source: string; id: string; redriven: boolean }[];
}

test('a dead letter is inspected, redriven and deleted', async () => {
  const lead = await running.createLead('Dead');
  const event = (await running.api('GET', '/events?kind=lead_created', undefined)) as {
    data: { id: number; subject: { id: unknown } }[];
  };
  const id = event.data.find(({ subject }) => subject.id === lead.id)?.id;
  const letterBody = (
    await read<ItemWithLinks>(
      `table/item?${new URLSearchParams({ pk: `ACCOUNT#${service.accountId}#EVENT`, sk: String(id).padStart(16, '0') })}`,
    )
  ).attributes;
  const body = JSON.stringify(Object.fromEntries(letterBody.map(({ name, value }) => [name, value])));
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

type PartnerView = Awaited<ReturnType<typeof readPartner>>;

test('the partner is shown with its health, the requests to it and its events, but without secrets', async () => {
  expect(await read('partner')).toEqual({ requests: [], events: [] });
  expect(await local('POST', 'partner/test')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('no connection to a partner') },
  });
  let secret = '';
  const partner = await startPartnerSimulator({
    secret: () => secret,
    eventsUrl: () => `${service.baseUrl}/integrations/partner/${service.accountId}/events`,
  });
  atEnd(partner.stop);
  const { url, publicKey } = partner;
  const body = { url, publicKey, active: true };
  const saved = await running.api('PUT', '/integrations/partner/connection', body);
  secret = String(saved.secret);

  expect(await local('POST', 'partner/test')).toEqual({ status: 200, body: {} });
  const view = () => read<PartnerView>('partner');
  await expect.poll(async () => (await view()).connection?.health).toMatchObject({ status: 'healthy' });
  const data = { applicationId: 'app_unknown', sequence: 3, status: 'declined' };
  expect(await partner.sendEvent({ type: 'application.status', data })).toBe(202);
  await expect
    .poll(async () => (await view()).events)
    .toMatchObject([{ content: { type: 'application.status', data }, status: 'delivered' }]);
  const { requests } = await view();
  expect(requests).toMatchObject([{ content: { request: 'test' }, status: 'delivered' }]);
  const path = `partner/requests/${requests[0]?.id}`;
  expect(await read<Awaited<ReturnType<typeof readExchange>>>(path)).toMatchObject({
    attempts: [{ number: 1, status: 200, sha256: expect.any(String) }],
  });
  for (const other of ['requests/none', 'letters/none'])
    expect((await local('GET', `partner/${other}`)).status).toBe(404);
  const shown = JSON.stringify([await view(), await read(path)]);
  expect(shown).not.toMatch(/whsec_|"jwe"|eyJ/);
});

test('the underwriting rules are shown in their order, with their report', async () => {
  const rule = (name: string, priority: number) =>
    running.api('POST', '/underwriting-rules', {
      ...{ name, priority, action: { kind: 'flag', reason: 'The risk is high.' } },
      when: { field: 'risk.score', between: { from: 0 } },
    });
  const { id } = await rule('Second', 200);
  await rule('First', 100);
  await running.api('POST', `/underwriting-rules/${id}/toggle`, { mode: 'shadow' });
  const application = await running.api('POST', '/applications', { basics: { dbaName: 'Pier Bakery' } });
  await running.api('POST', `/applications/${application.id}/submit`);
  const { rules, report } = await read<Awaited<ReturnType<typeof readRules>>>('underwriting');
  expect(rules).toMatchObject([
    { name: 'First', mode: 'off', ruleVersion: 1 },
    { name: 'Second', mode: 'shadow', ruleVersion: 1 },
  ]);
  expect(report).toMatchObject({
    submissions: 1,
    data: [{ name: 'Second', version: 1, applied: 1, shadow: 1, acted: 0, overruled: 0 }],
  });
});

test('a partition is read page by page, and an item has links to other items and partitions', async () => {
  const account = asAccountId(service.accountId) ?? expect.fail('no account id');
  const team = await running.api('POST', '/teams', { name: 'Field sales' });
  const lead = await running.createLead('Hopper', { firstName: 'Grace', teamId: team.id });
  expect(await read('table')).toMatchObject({ accounts: [{ account, name: 'Local account' }] });
  const nouns = await read<{ noun: string; count: number }[]>(`table/accounts/${account}`);
  expect(nouns).toContainEqual({ noun: 'TEAM', count: 1 });

  interface Page {
    items: { pk: string; sk: string }[];
    next?: string;
  }
  const page = (query: Record<string, string>) => read<Page>(`table/items?${new URLSearchParams(query)}`);
  const partition = tenantPartition(account, 'LEAD');
  const { items } = await page({ index: 'list', partition, newestFirst: 'true' });
  expect(items).toHaveLength(nouns.find(({ noun }) => noun === 'LEAD')?.count ?? 0);
  const [newest] = items;
  expect(newest?.pk).toBe(tenantPartition(account, 'LEAD', String(lead.id).padStart(16, '0')));

  const { pk = '', sk = '' } = newest ?? {};
  const item = await read<ItemWithLinks>(`table/item?${new URLSearchParams({ pk, sk })}`);
  expect(item.links).toContainEqual({
    attribute: 'teamId',
    pk: tenantPartition(account, 'TEAM', String(team.id).padStart(16, '0')),
    sk: 'RECORD',
  });
  expect(item.partitions).toContainEqual({ label: 'all items of this partition', partition: pk });

  // The webhooks of an account share a partition.
  const hook = await running.api('POST', '/webhooks', {
    url: 'http://127.0.0.1:9/',
    events: ['lead_created'],
  });
  const [created] = (await page({ partition: tenantPartition(account, 'EVENT'), newestFirst: 'true' })).items;
  const event = await read<ItemWithLinks>(`table/item?${new URLSearchParams({ ...created })}`);
  const webhooks = { pk: tenantPartition(account, 'WEBHOOK'), sk: String(hook.id).padStart(16, '0') };
  expect(event.links).toContainEqual(expect.objectContaining(webhooks));

  // Creates enough events for a second page of the event log.
  for (let n = 0; n < 30; n++) await running.createLead(`Page ${n}`);
  const log = tenantPartition(account, 'EVENT');
  const found: string[] = [];
  let next: string | undefined;
  do {
    const { items: some, next: more } = await page({ partition: log, ...(next && { after: next }) });
    found.push(...some.map((one) => one.sk));
    next = more;
  } while (next !== undefined && found.length < 1000);
  expect(found.length).toBeGreaterThan(50);
  expect(new Set(found).size).toBe(found.length);
  expect(
    (await local('GET', `table/items?${new URLSearchParams({ partition: log, after: 'x' })}`)).status,
  ).toBe(400);
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
  ['GET', 'messages'],
  ['GET', 'messages/mail/x'],
  ['POST', 'digests/send'],
  ['GET', 'webhooks'],
  ['GET', 'webhooks/1'],
  ['GET', 'webhooks/1/deliveries/1'],
  ['POST', 'webhooks/1/deliveries/1/redeliver'],
  ['POST', 'webhooks/1/recover'],
  ['POST', 'webhooks/1/test'],
  ['POST', 'webhooks/1/activate'],
  ['GET', 'receiver'],
  ['PUT', 'receiver'],
  ['POST', 'receiver/subscription'],
  ['DELETE', 'receiver/subscription'],
  ['GET', 'partner'],
  ['GET', 'partner/requests/x'],
  ['POST', 'partner/test'],
  ['GET', 'underwriting'],
  ['GET', 'accounts'],
  ['GET', 'accounts/x'],
  ['PUT', 'accounts/x/permissions'],
  ['POST', 'accounts/x/close'],
  ['POST', 'accounts/x/reopen'],
  ['GET', 'domains'],
  ['POST', 'domains'],
  ['POST', 'domains/1/validate'],
  ['POST', 'domains/1/activate'],
  ['DELETE', 'domains/1'],
  ['GET', 'billing'],
  ['GET', 'billing/invoices/1'],
  ['GET', 'billing/invoices/1/print'],
  ['POST', 'billing/invoices/1/open'],
  ['POST', 'billing/invoices/1/payments'],
  ['PUT', 'billing/provider'],
  ['POST', 'billing/notifications'],
  ['GET', 'support-access'],
  ['PUT', 'support-access'],
  ['DELETE', 'support-access/x'],
  ['PUT', 'body-capture'],
  ['DELETE', 'body-capture'],
  ['POST', 'body-capture/1/request-body'],
  ['GET', 'queues'],
  ['GET', 'dead-letters/audit/x'],
  ['POST', 'dead-letters/audit/x/redrive'],
  ['DELETE', 'dead-letters/audit/x'],
  ['GET', 'table'],
  ['GET', 'table/accounts/x'],
  ['GET', 'table/items'],
  ['GET', 'table/item'],
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
