import { afterEach, describe, expect, test } from 'vitest';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import deleteWebhook from '../../functions/webhooks/delete-webhook.ts';
import listWebhookDeliveries from '../../functions/webhooks/list-webhook-deliveries.ts';
import listWebhooks from '../../functions/webhooks/list-webhooks.ts';
import readWebhook from '../../functions/webhooks/read-webhook.ts';
import readWebhookDelivery from '../../functions/webhooks/read-webhook-delivery.ts';
import recoverWebhook from '../../functions/webhooks/recover-webhook.ts';
import redeliverWebhookDelivery from '../../functions/webhooks/redeliver-webhook-delivery.ts';
import rotateWebhookSecret from '../../functions/webhooks/rotate-webhook-secret.ts';
import setWebhookEvents from '../../functions/webhooks/set-webhook-events.ts';
import testWebhook from '../../functions/webhooks/test-webhook.ts';
import updateWebhook from '../../functions/webhooks/update-webhook.ts';
import { mintId } from '../../shared/id/mint.ts';
import { type DeliveryContent, deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { disableWebhook } from '../../shared/messaging/webhooks/disable-webhook.ts';
import { decryptSecrets, validSecrets } from '../../shared/messaging/webhooks/secrets.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { subscriptionsOf } from '../../shared/messaging/webhooks/subscriptions.ts';
import { eventKinds } from '../../shared/resources/derived.ts';
import type { EventKind } from '../../shared/resources/registry.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { transact } from '../../shared/table/transact.ts';
import { enqueueWrites } from '../../shared/work-queue/enqueue.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { waitingOf } from '../../shared/work-queue/list-work-items.ts';
import { clock } from '../harness/clock.ts';
import { member } from '../harness/member.ts';
import { eventsAbout, scanTable } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const elsewhere = await tenant();
const url = 'https://hooks.example.com/merchant-ops';
const create = (fields: object = {}, of: Tenant = acme) =>
  of.admin.ok(createWebhook, { body: { url, events: ['lead_created'], ...fields } });
const byId = ({ id }: { id: number }) => ({ params: { id } });

async function signing({ id }: { id: number }): Promise<string[]> {
  const account = acme.accountId;
  const keys = await openDataKeys({ account, keep: false, deadline: Date.now() + 60_000 });
  return decryptSecrets(await webhooks.get(account, id), keys, clock.now());
}

const expires = new Date(Date.now() + 86_400_000);
/** Creates a webhook without subscriptions and with `count` waiting deliveries. */
async function waiting(count: number, of = acme, kind: EventKind = 'lead_created') {
  const webhook = await create({ url: 'http://127.0.0.1:9/', events: [] }, of);
  const ids = Array.from({ length: count }, () => mintId(clock.now()));
  for (const eventId of ids) {
    const content: DeliveryContent = { eventId, kind };
    const workItem = { id: deliveryId(eventId), due: clock.now(), content, expires };
    const writes = enqueueWrites(webhookWorkQueue(of.accountId, webhook.id), workItem, clock.now());
    await transact(writes, Date.now() + 60_000);
  }
  return { webhook, ids };
}

afterEach(clock.reset);

describe('POST /webhooks', () => {
  test('returns an active webhook with its secret, which is shown only once', async () => {
    const { secret, ...webhook } = await create({ description: 'Our ledger' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.any(Number),
      accountId: acme.accountId,
      url,
      events: ['lead_created'],
      description: 'Our ledger',
      active: true,
      payload: 'full',
      payloadVersion: 1,
      health: { status: 'idle' },
      version: 1,
      createdBy: acme.adminEmail,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { health, ...read } = await acme.admin.ok(readWebhook, byId(webhook));
    expect({ ...read, health }).toEqual({ ...webhook, health: { status: 'idle', waiting: 0 } });
  });

  test('stores the secret only encrypted', async () => {
    const { secret } = await create();
    const raw = JSON.stringify(await scanTable());
    expect(raw).not.toContain(secret);
    expect(raw).not.toContain(secret.slice('whsec_'.length));
  });

  test('emits an event without the secret', async () => {
    const { secret, ...webhook } = await create();
    const [event] = await eventsAbout(acme.accountId, webhook.id);
    expect(event).toMatchObject({
      kind: 'webhook_created',
      data: { changes: { secret: {}, url: { to: url } } },
    });
    expect(JSON.stringify(event)).not.toContain(secret);
  });

  test('removes spaces around the url, and refuses a fragment or a user name', async () => {
    expect((await create({ url: ` ${url}\n` })).url).toBe(url);
    for (const wrong of [`${url}#top`, 'https://ada@hooks.example.com/', 'https://hooks.example.com:99999']) {
      const refused = await acme.admin.call(createWebhook, { body: { url: wrong, events: [] } });
      expect([refused.status, refused.body.details?.[0]?.field], wrong).toEqual([400, 'url']);
    }
  });

  test('refuses an address that is not public, with an error for url', async () => {
    const body = { url: 'https://10.0.0.1/', events: [] };
    const refused = await acme.admin.call(createWebhook, { body });
    expect([refused.status, refused.body.details?.[0]?.field]).toEqual([400, 'url']);
  });

  test('refuses the 21st webhook of an account until another webhook is deleted', async () => {
    const other = await tenant();
    const made = [];
    for (let n = 0; n < 20; n++) made.push(await create({}, other));
    const body = { url, events: [] };
    const refused = await other.admin.call(createWebhook, { body });
    expect([refused.status, refused.body.error]).toEqual([400, 'quota_exceeded']);
    await other.admin.ok(deleteWebhook, { params: { id: made[0]?.id ?? 0 } });
    await other.admin.ok(createWebhook, { body });
  });
});

describe('PUT /webhooks/{id}/events', () => {
  test('returns the id and the events without duplicates, and accepts an empty list', async () => {
    const webhook = await create();
    const events = ['ticket_created', 'lead_created', 'ticket_created'];
    const set = await acme.admin.ok(setWebhookEvents, { ...byId(webhook), body: { events } });
    expect(set).toEqual({ id: webhook.id, events: ['ticket_created', 'lead_created'] });
    expect((await acme.admin.ok(readWebhook, byId(webhook))).events).toEqual(set.events);
    const none = await acme.admin.ok(setWebhookEvents, { ...byId(webhook), body: { events: [] } });
    expect(none).toEqual({ id: webhook.id, events: [] });
  });

  test('returns an error for each unknown kind', async () => {
    const body = { events: ['lead_created', 'lead_lost', 'LEAD_CREATED'] };
    const refused = await acme.admin.call(setWebhookEvents, { ...byId(await create()), body });
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual([
      { field: 'events[1]', message: 'lead_lost is not an event kind: see GET /event-kinds' },
      { field: 'events[2]', message: 'LEAD_CREATED is not an event kind: see GET /event-kinds' },
    ]);
  });

  test('accepts every kind, and the fan-out finds exactly the subscribed kinds', async () => {
    const webhook = await create({ events: [] });
    const found = async () =>
      (await subscriptionsOf(acme.accountId)).find(({ webhookId }) => webhookId === webhook.id);
    for (const events of [[...eventKinds], ['lead_created', 'ticket_comment_added'], []]) {
      await acme.admin.ok(setWebhookEvents, { ...byId(webhook), body: { events } });
      expect([...((await found())?.kinds ?? [])]).toEqual(events);
    }
    expect(await found()).toMatchObject({ active: true, since: webhook.createdAt });
    await acme.admin.ok(updateWebhook, { ...byId(webhook), body: { active: false } });
    expect(await found()).toMatchObject({ active: false });
    await acme.admin.ok(deleteWebhook, byId(webhook));
    expect(await found()).toBeUndefined();
  });

  test('changes nothing if the same events are sent again', async () => {
    const webhook = await create();
    await acme.admin.ok(setWebhookEvents, { ...byId(webhook), body: { events: ['lead_created'] } });
    expect(await eventsAbout(acme.accountId, webhook.id)).toMatchObject([{ kind: 'webhook_created' }]);
  });
});

describe('permissions', () => {
  test('a caller who may not read leads cannot subscribe to lead events or change the URL of a webhook with lead events', async () => {
    const { client } = await member(acme, ['readWebhooks', 'writeWebhooks', 'readTickets']);
    const refused = async (answer: Promise<{ status: number; body: { error?: string } }>) => {
      const { status, body } = await answer;
      expect({ status, error: body.error }).toEqual({ status: 403, error: 'grant_exceeds_own' });
    };
    await refused(client.call(createWebhook, { body: { url, events: ['ticket_created', 'lead_created'] } }));
    const own = await client.ok(createWebhook, { body: { url, events: ['ticket_created'] } });
    await refused(client.call(setWebhookEvents, { ...byId(own), body: { events: ['lead_created'] } }));
    await refused(client.call(updateWebhook, { ...byId(own), body: { events: ['lead_created'] } }));

    const theirs = await create();
    const moved = { url: 'https://elsewhere.example.com/' };
    await refused(client.call(updateWebhook, { ...byId(theirs), body: moved }));
    await client.ok(updateWebhook, { ...byId(theirs), body: { description: 'Renamed', active: false } });
    await refused(client.call(updateWebhook, { ...byId(theirs), body: { active: true } }));
    // The caller can keep the existing kinds, and add kinds whose events the caller may read.
    const both = { events: ['lead_created', 'ticket_created'] };
    await acme.admin.ok(updateWebhook, { ...byId(theirs), body: { active: true } });
    await client.ok(setWebhookEvents, { ...byId(theirs), body: both });
    await client.ok(updateWebhook, { ...byId(own), body: moved });
  });

  test('changing an inactive webhook needs the same permissions as changing an active webhook', async () => {
    const { client } = await member(elsewhere, ['readWebhooks', 'writeWebhooks', 'readTickets']);
    const webhook = await create({ active: false, payload: 'thin' }, elsewhere);
    const before = await elsewhere.admin.ok(readWebhook, byId(webhook));
    const refused = [
      await client.call(updateWebhook, { ...byId(webhook), body: { url: 'https://elsewhere.example.com/' } }),
      await client.call(updateWebhook, { ...byId(webhook), body: { payload: 'full' } }),
      await client.call(updateWebhook, { ...byId(webhook), body: { events: ['lead_updated'] } }),
      await client.call(setWebhookEvents, { ...byId(webhook), body: { events: ['lead_updated'] } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
      Array(4).fill([403, 'grant_exceeds_own']),
    );
    expect(await elsewhere.admin.ok(readWebhook, byId(webhook))).toEqual(before);
    await client.ok(setWebhookEvents, {
      ...byId(webhook),
      body: { events: ['lead_created', 'ticket_created'] },
    });
  });

  test('a caller who may not read the events of a webhook can neither test the webhook, nor rotate its secret, nor recover or redeliver its events', async () => {
    const { client } = await member(elsewhere, ['readWebhooks', 'writeWebhooks', 'readTickets']);
    const since = { since: clock.now().toISOString() };
    const statuses = async (events: EventKind[]) => {
      const sent = byId(await create({ events }, elsewhere));
      const recovered = await client.call(recoverWebhook, { ...sent, body: since });
      const [rotated, tested] = [
        await client.call(rotateWebhookSecret, sent),
        await client.call(testWebhook, sent),
      ];
      return [tested, rotated, recovered].map(({ body }) => body.error);
    };
    expect(await statuses(['ticket_created', 'lead_created'])).toEqual(Array(3).fill('grant_exceeds_own'));
    expect(await statuses(['ticket_created'])).toEqual(Array(3).fill(undefined));

    for (const [kind, status] of [['lead_created', 403] as const, ['ticket_created', 202] as const]) {
      // The kind of the delivery is checked, even if the webhook is no longer subscribed to that kind.
      const { webhook, ids } = await waiting(1, elsewhere, kind);
      const params = { id: webhook.id, did: ids[0] ?? 0 };
      expect((await client.call(redeliverWebhookDelivery, { params })).status, kind).toBe(status);
    }
  });

  test('a caller with readEvents may subscribe to every kind', async () => {
    const { client } = await member(acme, ['writeWebhooks', 'readEvents']);
    await client.ok(createWebhook, { body: { url, events: [...eventKinds] } });
  });

  test('a subscription to ticket comments also needs the permission readInternalComments', async () => {
    const body = { url, events: ['ticket_comment_added'] };
    const without = await member(acme, ['writeWebhooks', 'readTickets']);
    expect((await without.client.call(createWebhook, { body })).status).toBe(403);
    const with_ = await member(acme, ['writeWebhooks', 'readTickets', 'readInternalComments']);
    await with_.client.ok(createWebhook, { body });
  });
});

describe('PATCH /webhooks/{id}', () => {
  test('changes the sent fields, and clears a description sent as null', async () => {
    const webhook = await create({ description: 'Our ledger' });
    const body = { url: 'https://other.example.com/', description: null, payload: 'thin' as const };
    const after = await acme.admin.ok(updateWebhook, { ...byId(webhook), body });
    expect(after).toMatchObject({ url: 'https://other.example.com/', payload: 'thin', version: 2 });
    expect(after).not.toHaveProperty('description');
    expect((await eventsAbout(acme.accountId, webhook.id)).at(-1)).toMatchObject({
      kind: 'webhook_updated',
      data: { changes: { payload: { from: 'full', to: 'thin' } } },
    });
  });

  test('keeps the disabledReason when a disabled webhook is deactivated, and clears the reason on activation', async () => {
    const webhook = await create({}, elsewhere);
    const stored = await webhooks.get(elsewhere.accountId, webhook.id);
    const disabledReason = 'The endpoint responded with 410 Gone.';
    await disableWebhook(stored, disabledReason, { now: clock.now(), deadline: Date.now() + 60_000 });
    const changed = (body: object) => elsewhere.admin.ok(updateWebhook, { ...byId(webhook), body });
    expect(await changed({ active: false })).toMatchObject({ active: false, disabledReason });
    expect(await changed({ active: true })).not.toHaveProperty('disabledReason');
  });

  test('GET /webhooks lists the newest webhooks first and filters by subscribed kind', async () => {
    const other = await tenant();
    const one = await create({ events: ['lead_created', 'lead_updated'] }, other);
    const two = await create({ events: ['ticket_created'] }, other);
    const listed = async (query: object) =>
      (await other.admin.ok(listWebhooks, { query })).data.map(({ id }) => id);
    expect(await listed({})).toEqual([two.id, one.id]);
    expect(await listed({ events: 'lead_updated' })).toEqual([one.id]);
    const events = ['lead_updated', 'ticket_created'];
    expect(await listed({ events, sort: 'createdAt' })).toEqual([one.id, two.id]);
  });
});

describe('POST /webhooks/{id}/rotate-secret', () => {
  test('keeps both secrets valid for 24 hours, and emits an event without secrets', async () => {
    const webhook = await create();
    const rotated = await acme.admin.ok(rotateWebhookSecret, byId(webhook));
    expect(rotated.secret).not.toBe(webhook.secret);
    const day = 24 * 3600 * 1000;
    const { previousSecretUntil = '' } = rotated;
    expect(Date.parse(previousSecretUntil) - clock.now().getTime()).toBeGreaterThan(day - 60_000);
    expect(await signing(webhook)).toEqual([rotated.secret, webhook.secret]);
    expect(await acme.admin.ok(readWebhook, byId(webhook))).toMatchObject({ previousSecretUntil });
    clock.advance(day + 1000);
    expect(await signing(webhook)).toEqual([rotated.secret]);
    expect(await webhooks.get(acme.accountId, webhook.id)).toMatchObject({ version: 2 });
    const changed = (await eventsAbout(acme.accountId, webhook.id)).at(-1);
    expect(changed).toMatchObject({ kind: 'webhook_updated', data: { changes: { secret: {} } } });
    expect(JSON.stringify(changed)).not.toContain(rotated.secret);
  });

  test('keeps the previous secret valid until just before its end time', () => {
    const until = '2026-03-02T10:00:00.000Z';
    const secrets = [
      { number: 2, jwe: 'new' },
      { number: 1, jwe: 'old', until },
    ];
    const numbers = (at: number) => validSecrets(secrets, new Date(at)).map(({ number }) => number);
    expect([numbers(Date.parse(until) - 1), numbers(Date.parse(until))]).toEqual([[2, 1], [2]]);
  });

  test('refuses a third secret while two secrets are valid, unless expireNow is true', async () => {
    const webhook = await create();
    await acme.admin.ok(rotateWebhookSecret, byId(webhook));
    const third = await acme.admin.call(rotateWebhookSecret, byId(webhook));
    expect([third.status, third.body.error]).toEqual([400, 'secrets_overlap']);
    const now = await acme.admin.ok(rotateWebhookSecret, { ...byId(webhook), body: { expireNow: true } });
    expect(now).toEqual({ id: webhook.id, secret: expect.stringMatching(/^whsec_/) });
    expect(await signing(webhook)).toEqual([now.secret]);
  });
});

test('POST /webhooks/{id}/test emits webhook_test about this webhook, even if the webhook is inactive', async () => {
  const webhook = await create({ active: false });
  await acme.admin.ok(testWebhook, byId(webhook));
  expect((await eventsAbout(acme.accountId, webhook.id)).at(-1)).toMatchObject({
    kind: 'webhook_test',
    subject: { type: 'webhook', id: webhook.id },
    data: {},
  });
});

describe('deliveries', () => {
  test('are listed newest event first, and can be filtered by status', async () => {
    const { webhook, ids } = await waiting(3);
    const { data, totalCount } = await acme.admin.ok(listWebhookDeliveries, byId(webhook));
    expect({ ids: data.map(({ id }) => id), totalCount }).toEqual({ ids: ids.toReversed(), totalCount: 3 });
    expect(data[0]).toEqual({
      id: ids[2],
      webhookId: webhook.id,
      event: 'lead_created',
      messageId: `evt_${acme.accountId}_${ids[2]}`,
      status: 'waiting',
      createdAt: expect.any(String),
      nextAttemptAt: expect.any(String),
      attempts: [],
    });
    const query = { status: 'delivered' } as const;
    expect((await acme.admin.ok(listWebhookDeliveries, { ...byId(webhook), query })).data).toEqual([]);
    expect((await acme.admin.ok(readWebhook, byId(webhook))).health).toMatchObject({ waiting: 3 });
    expect((await acme.admin.call(listWebhookDeliveries, { params: { id: 7 } })).status).toBe(404);
  });

  test('can be read only in their own account and under their own webhook', async () => {
    const { webhook, ids } = await waiting(1);
    const did = ids[0] ?? 0;
    const found = await acme.admin.ok(readWebhookDelivery, { params: { id: webhook.id, did } });
    expect(found.id).toBe(did);
    const other = await create({ events: [] });
    expect((await acme.admin.call(readWebhookDelivery, { params: { id: other.id, did } })).status).toBe(404);
    const stranger = await tenant();
    const theirs = await stranger.admin.call(readWebhookDelivery, { params: { id: webhook.id, did } });
    expect(theirs.status).toBe(404);
  });

  test('can be redelivered immediately, and keep the time of their next attempt', async () => {
    const other = await tenant();
    const { webhook, ids } = await waiting(1, other);
    const params = { id: webhook.id, did: ids[0] ?? 0 };
    const due = (await other.admin.ok(readWebhookDelivery, { params })).nextAttemptAt;
    await other.admin.ok(redeliverWebhookDelivery, { params });
    expect((await other.admin.ok(readWebhookDelivery, { params })).nextAttemptAt).toBe(due);
  });

  test.each([
    [-31, undefined, 'since'],
    [1, undefined, 'since'],
    [-2, -3, 'until'],
  ])('are not recovered for an invalid period, from day %d to day %s', async (since, until, field) => {
    const webhook = await create({}, elsewhere);
    const at = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString();
    const body = { since: at(since), ...(until !== undefined && { until: at(until) }) };
    const { status, body: answer } = await elsewhere.admin.call(recoverWebhook, { ...byId(webhook), body });
    expect({ status, field: answer.details?.[0]?.field }).toEqual({ status: 400, field });
  });

  test('are not recovered while the webhook is inactive', async () => {
    const webhook = await create({ active: false }, elsewhere);
    const body = { since: clock.now().toISOString() };
    const { status, body: answer } = await elsewhere.admin.call(recoverWebhook, { ...byId(webhook), body });
    expect({ status, error: answer.error }).toEqual({ status: 400, error: 'webhook_inactive' });
  });

  test('are recovered by a job in the work queue of the account', async () => {
    const other = await tenant();
    const webhook = await create({ events: [] }, other);
    const body = { since: new Date(clock.now().getTime() - 3_600_000).toISOString() };
    const { status } = await other.admin.call(recoverWebhook, { ...byId(webhook), body });
    expect(status).toBe(202);
    const { waiting: jobs } = await waitingOf({ account: other.accountId, name: 'JOBS' });
    expect(jobs).toBe(1);
  });
});
