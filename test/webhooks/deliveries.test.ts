import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import deliveries from '../../events/consumers/deliveries.ts';
import jobs from '../../events/consumers/jobs.ts';
import type { Event, EventDraft } from '../../shared/events/envelope.ts';
import { eventsFrom } from '../../shared/events/log.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { type DeliveryContent, deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { enqueueDeliveries } from '../../shared/messaging/webhooks/enqueue-deliveries.ts';
import { webhookHealthKey } from '../../shared/messaging/webhooks/keys.ts';
import { payloadOf } from '../../shared/messaging/webhooks/payload.ts';
import { recoveryWrites, redeliveryWrites } from '../../shared/messaging/webhooks/recover.ts';
import type { StoredWebhook } from '../../shared/messaging/webhooks/schema.ts';
import { messageIdOf, signedHeaders } from '../../shared/messaging/webhooks/signature.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import type { EventKind } from '../../shared/resources/registry.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import type { Write } from '../../shared/table/operations.ts';
import { type WorkQueue, webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { findWorkItem, workItemsOf } from '../../shared/work-queue/list-work-items.ts';
import { readWorkQueueState } from '../../shared/work-queue/store.ts';
import { concurrently } from '../harness/concurrently.ts';
import { type Behaviour, behaviours, type Received, receiver } from '../harness/receiver.ts';
import {
  hour,
  killedAt,
  minute,
  pass as moveOn,
  run,
  second,
  time,
  triggerRun,
} from '../work-queue/world.ts';
import { happens, newAccount, webhook } from './subscribed.ts';

beforeEach(() => void vi.stubEnv('STAGE', 'local'));
afterEach(() => vi.unstubAllEnvs());

const subscribed = (account: AccountId, url: string, events?: EventKind[]) =>
  webhook(account, url, { now: time.now, events });
/** A webhook at a new endpoint with this behaviour, in a new account. */
async function subscribedTo(behaviour: Behaviour, events?: EventKind[]) {
  const [account, to] = [newAccount(), await receiver(behaviour)];
  return { account, to, ...(await subscribed(account, to.url, events)) };
}
const write = (writes: Write[]) => commit({ writes, events: [], deadline: run().deadline });
async function redeliver(stored: StoredWebhook, event: Event): Promise<void> {
  const delivery = await deliveryOf(webhookWorkQueue(stored.accountId, stored.id), event);
  if (!delivery) throw new Error('There is no delivery.');
  await write(redeliveryWrites(stored, delivery, time.now));
}
const emitted = async (account: AccountId, draft?: Partial<EventDraft>): Promise<Event> => {
  const event = await happens(account, time.now, draft);
  await enqueueDeliveries(event, run());
  return event;
};

/** An event whose delivery was created 97 h ago. A delivery ends after 96 h, so its next failed attempt is final. */
const emittedLongAgo = async (account: AccountId): Promise<Event> => {
  const event = await happens(account, time.now);
  await enqueueDeliveries(event, { ...run(), now: new Date(time.now.getTime() - 97 * hour) });
  return event;
};

const work = (workQueue: WorkQueue) => triggerRun(deliveries, workQueue);
const workJobs = (account: AccountId) => triggerRun(jobs, { account, name: 'JOBS' });
const deliveryOf = (workQueue: WorkQueue, { id }: Pick<Event, 'id'>) =>
  findWorkItem<DeliveryContent>(workQueue, deliveryId(id), time.now);

const statusesOf = (workQueue: WorkQueue, ...events: Event[]) =>
  Promise.all(events.map(async (event) => (await deliveryOf(workQueue, event))?.status));

const missing: Pick<Received, 'headers' | 'body'> = { headers: {}, body: '' };

/** Moves the clock to the next due time of a work queue. Returns false if no item is due. */
async function toNext(workQueue: WorkQueue): Promise<boolean> {
  const { state } = await readWorkQueueState(workQueue);
  const next = [state.due, state.pausedUntil]
    .filter((at) => at !== undefined)
    .sort()
    .at(-1);
  if (state.due === undefined || next === undefined) return false;
  time.now = new Date(Math.max(time.now.getTime(), Date.parse(next)));
  return true;
}
/** Runs the jobs of an account, and returns its events about failed deliveries. */
const announced = async (account: AccountId) => {
  await workJobs(account);
  return (await logged(account, 'webhook_delivery_failed')).map(({ data }) => data);
};
const logged = async (account: AccountId, kind: EventKind) =>
  (await eventsFrom(account, { since: new Date(0).toISOString(), limit: 500 })).filter(
    (one) => one.kind === kind,
  );

describe('a delivery', () => {
  test('sends the signed event once to each subscribed webhook', async () => {
    const { account, to, stored, secret, workQueue } = await subscribedTo(
      behaviours.responds(200, {}, 'thanks'),
    );
    const other = await subscribed(account, to.url, ['lead_deleted']);
    const event = await emitted(account);
    await enqueueDeliveries(event, run());
    await work(workQueue);
    await work(workQueue);
    await work(other.workQueue);
    expect(to.received).toHaveLength(1);
    const [{ headers, body } = missing] = to.received;
    const payload = payloadOf(event, stored);
    expect(body).toBe(payload.toString());
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    expect(headers).toMatchObject(signedHeaders(payload, [secret], messageIdOf(event), at));
    expect(await deliveryOf(workQueue, event)).toMatchObject({
      status: 'delivered',
      attempts: [
        {
          number: 1,
          status: 200,
          address: '127.0.0.1',
          response: 'thanks',
          sha256: createHash('sha256').update(payload).digest('hex'),
        },
      ],
    });
  });

  test('that gets a 2xx status succeeds, even if the body of the response is incomplete', async () => {
    const { account, stored, workQueue } = await subscribedTo(
      ({ socket }) => void socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe start'),
    );
    const event = await emitted(account);
    await work(workQueue);
    const delivery = await deliveryOf(workQueue, event);
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 200, response: 'the start' }],
    });
    expect(delivery?.attempts[0]).not.toHaveProperty('error');
    const { health } = await webhooks
      .findWithHealth(account, stored.id)
      .then((found) => found ?? { health: {} });
    expect(health).toMatchObject({ lastStatus: 200, lastSuccessAt: expect.any(String) });
  });

  test('is not created for an event that is older than the webhook', async () => {
    const account = newAccount();
    const event = await happens(account, time.now);
    moveOn(second);
    const { workQueue } = await subscribed(account, 'http://127.0.0.1:1/');
    await enqueueDeliveries(event, run());
    expect(await deliveryOf(workQueue, event)).toBeUndefined();
  });

  test('is delayed only by the Retry-After of its own endpoint', async () => {
    const account = newAccount();
    const busy = await receiver(behaviours.responds(503, { 'retry-after': '7200' }));
    const fine = await receiver(behaviours.responds(200));
    const [one, other] = [await subscribed(account, busy.url), await subscribed(account, fine.url)];
    await emitted(account);
    for (const { workQueue } of [one, other]) await work(workQueue);
    moveOn(hour);
    await emitted(account);
    for (const { workQueue } of [one, other]) await work(workQueue);
    expect([busy.received.length, fine.received.length]).toEqual([1, 2]);
    busy.behave(behaviours.responds(200));
    moveOn(hour + minute);
    await work(one.workQueue);
    expect(busy.received).toHaveLength(3);
  });

  test('waits while five deliveries to its endpoint are in flight', async () => {
    const account = newAccount();
    let [open, most] = [0, 0];
    const to = await receiver((response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(200).end();
      });
    });
    const { workQueue } = await subscribed(account, to.url);
    for (let n = 0; n < 20; n += 1) await emitted(account);
    // The limit applies even if many trigger messages are handled concurrently.
    await concurrently(8, () => work(workQueue));
    expect([to.received.length, to.connections <= 5, most <= 5]).toEqual([20, true, true]);
  });
});

test('a delivery keeps its id, its ten newest redeliveries, and all attempts of its schedule', async () => {
  const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(500));
  const event = await emitted(account);
  await work(workQueue);
  for (let n = 0; n < 13; n += 1) {
    await redeliver(stored, event);
    await work(workQueue);
    moveOn(second);
  }
  const { attempts = [] } = (await deliveryOf(workQueue, event)) ?? {};
  expect(attempts.map(({ number }) => number)).toEqual([1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  expect(to.received).toHaveLength(14);
  expect(new Set(to.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([messageIdOf(event)]),
  );
});

describe('a webhook', () => {
  test('that returns 410 is disabled immediately with a reason, and its waiting deliveries are cancelled', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(500));
    const waiting = await emitted(account);
    await work(workQueue);
    to.behave(behaviours.responds(410));
    const gone = await emitted(account);
    await work(workQueue);
    expect(await webhooks.get(account, stored.id)).toMatchObject({
      active: false,
      disabledReason: 'The endpoint responded with 410 Gone.',
    });
    expect(await logged(account, 'webhook_updated')).toMatchObject([
      { actor: { user: 'system' }, data: { reason: 'The endpoint responded with 410 Gone.' } },
    ]);
    expect(await statusesOf(workQueue, waiting, gone)).toEqual(['cancelled', 'failed']);
    const later = await emitted(account);
    expect(await deliveryOf(workQueue, later)).toBeUndefined();
  });

  test('that a user activates during an attempt is not disabled by the 410 of this attempt', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(200));
    const inactive = { ...stored, active: false, version: 2 };
    to.behave((response) => {
      void write(webhooks.replace(stored, inactive))
        .then(() => write(webhooks.replace(inactive, { ...stored, version: 3 })))
        .then(() => response.writeHead(410).end());
    });
    const event = await emitted(account);
    await work(workQueue);
    expect(await statusesOf(workQueue, event)).toEqual(['failed']);
    expect(await webhooks.get(account, stored.id)).toMatchObject({ active: true, version: 3 });
  });

  test('that a user activates while a worker cancels its deliveries gets later events from this worker', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.hangs);
    const [gone, slow] = [await emitted(account), await emitted(account)];
    let later: Event | undefined;
    const activate = async (response: ServerResponse) => {
      await expect.poll(() => webhooks.get(account, stored.id)).toMatchObject({ active: false });
      const disabled = await webhooks.get(account, stored.id);
      await write(webhooks.replace(disabled, { ...stored, version: disabled.version + 1 }));
      to.behave(behaviours.responds(200));
      later = await emitted(account);
      response.writeHead(200).end();
    };
    to.behave((response, { headers }) => {
      if (headers['webhook-id'] === messageIdOf(gone)) response.writeHead(410).end();
      else void activate(response);
    });
    await work(workQueue);
    expect(await statusesOf(workQueue, gone, slow, later ?? expect.fail())).toEqual([
      'failed',
      'delivered',
      'delivered',
    ]);
  });

  test('gets no waiting deliveries of a kind that it no longer subscribes to, even at a new URL', async () => {
    const { account, stored, workQueue } = await subscribedTo(behaviours.responds(500), [
      'lead_created',
      'lead_updated',
    ]);
    const [dropped, kept] = [await emitted(account), await emitted(account, { kind: 'lead_updated' })];
    await work(workQueue);
    const elsewhere = await receiver(behaviours.responds(200));
    const after = { ...stored, events: ['lead_updated' as const], url: elsewhere.url, version: 2 };
    await write(webhooks.replace(stored, after));
    await toNext(workQueue);
    moveOn(minute);
    await work(workQueue);
    expect(await statusesOf(workQueue, dropped, kept)).toEqual(['cancelled', 'delivered']);
    expect(elsewhere.received.map(({ headers }) => headers['webhook-id'])).toEqual([messageIdOf(kept)]);
  });

  test('gets a redelivery of a kind that it no longer subscribes to', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(200));
    const event = await emitted(account);
    await work(workQueue);
    await write(webhooks.replace(stored, { ...stored, events: [], version: 2 }));
    await redeliver(stored, event);
    await work(workQueue);
    expect(to.received).toHaveLength(2);
  });

  test('gets test events even if it is inactive', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(410));
    await emitted(account);
    await work(workQueue);
    to.behave(behaviours.responds(200));
    const tested = await emitted(account, {
      kind: 'webhook_test',
      subject: { type: 'webhook', id: stored.id },
      data: {},
    });
    await work(workQueue);
    expect(await deliveryOf(workQueue, tested)).toMatchObject({ status: 'delivered' });
    expect(to.received).toHaveLength(2);
  });

  test('is disabled if all attempts fail for 120 hours', async () => {
    const { account, stored, workQueue } = await subscribedTo(behaviours.responds(500));
    await emitted(account);
    while (await toNext(workQueue)) await work(workQueue);
    expect(await webhooks.get(account, stored.id)).toMatchObject({ active: true });
    moveOn(60 * hour);
    await emitted(account);
    await work(workQueue);
    expect(await webhooks.get(account, stored.id)).toMatchObject({ active: false });
  });

  test('is not disabled after only two failures', async () => {
    const { account, stored, workQueue } = await subscribedTo(behaviours.responds(500));
    await emitted(account);
    await work(workQueue);
    moveOn(150 * hour);
    await emitted(account);
    await work(workQueue);
    expect(await webhooks.get(account, stored.id)).toMatchObject({ active: true });
  });

  test('has its health reset if its URL changes during an attempt', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(500));
    await emitted(account);
    await work(workQueue);
    await toNext(workQueue);
    to.behave((response) => {
      const moved = { ...stored, url: 'http://127.0.0.1:1/', version: 2 };
      void write(webhooks.replace(stored, moved)).then(() => response.writeHead(500).end());
    });
    await work(workQueue);
    const { health } = await webhooks.getWithHealth(account, stored.id);
    expect(health.failures).toBe(1);
    expect(Date.parse(health.failingSince ?? '')).toBeGreaterThanOrEqual(time.now.getTime());
  });

  test('whose stored health has no revision keeps its failures and gets a revision', async () => {
    const { account, stored, workQueue } = await subscribedTo(behaviours.responds(500));
    const failing = { failures: 3, failingSince: new Date(time.now.getTime() - hour).toISOString() };
    await putAll([{ ...webhookHealthKey(account, stored.id), type: 'webhook-health', ...failing }]);
    await emitted(account);
    await work(workQueue);
    const { health } = await webhooks.getWithHealth(account, stored.id);
    expect(health).toMatchObject({ ...failing, failures: 4, lastStatus: 500, revision: expect.any(String) });
  });

  test('shows no lastStatus after an attempt without a response', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(500));
    await emitted(account);
    await work(workQueue);
    expect((await webhooks.getWithHealth(account, stored.id)).health).toMatchObject({ lastStatus: 500 });
    to.behave(behaviours.resets);
    await toNext(workQueue);
    await work(workQueue);
    const { health } = await webhooks.getWithHealth(account, stored.id);
    expect(health).toMatchObject({ failures: 2 });
    expect(health).not.toHaveProperty('lastStatus');
  });

  test('causes no further announcement if the delivery of its announcement also fails', async () => {
    const account = newAccount();
    const to = await receiver(behaviours.responds(500));
    const kinds: EventKind[] = ['lead_created', 'webhook_delivery_failed'];
    const both = [await subscribed(account, to.url, kinds), await subscribed(account, to.url, kinds)];
    await emitted(account);
    const announcements = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      for (const { workQueue } of both) await work(workQueue);
      moveOn(97 * hour);
      // Both deliveries fail. In the second round, each delivery contains the event about the failure of the
      // other webhook.
      for (const { workQueue } of both) await work(workQueue);
      moveOn(2 * hour);
      await workJobs(account);
      for (const event of await logged(account, 'webhook_delivery_failed')) {
        if (!announcements.has(event.id)) await enqueueDeliveries(event, run());
        announcements.add(event.id);
      }
    }
    expect(announcements.size).toBe(2);
    for (const { stored, workQueue } of both) {
      expect(await webhooks.get(account, stored.id)).toMatchObject({ active: true });
      const { items } = await workItemsOf<DeliveryContent>(workQueue, time.now).newest({});
      const own = items.filter(({ content }) => content.kind === 'webhook_delivery_failed');
      expect(own).toMatchObject([{ status: 'failed' }]);
      const subjects = (await logged(account, 'webhook_delivery_failed')).filter(
        ({ id }) => id === own[0]?.content.eventId,
      );
      expect(subjects.map(({ subject }) => subject.id)).not.toContain(stored.id);
    }
  });
});

describe('failed deliveries', () => {
  test('of an hour are announced by one event, a minute after the hour ends', async () => {
    const account = newAccount();
    const { workQueue } = await subscribed(account, 'http://127.0.0.1:1/');
    moveOn(hour - (time.now.getTime() % hour));
    const givesUp = async () => {
      const { id } = await emittedLongAgo(account);
      await work(workQueue);
      return id;
    };
    await givesUp();
    moveOn(59 * minute);
    const last = await givesUp();
    moveOn(minute);
    const later = await givesUp();
    moveOn(minute / 2);
    expect(await announced(account)).toEqual([]);
    moveOn(minute / 2);
    const first = { failures: 2, eventId: last, error: 'too_late' };
    expect(await announced(account)).toEqual([first]);
    moveOn(hour);
    expect(await announced(account)).toEqual([first, { ...first, failures: 1, eventId: later }]);
  });

  test('are counted once, even if the worker is killed at any request', async () => {
    for (let n = 1; ; n += 1) {
      const account = newAccount();
      const { workQueue } = await subscribed(account, 'http://127.0.0.1:1/');
      const event = await emittedLongAgo(account);
      const killed = await killedAt(n, 'after', () => work(workQueue));
      moveOn(2 * minute);
      await work(workQueue);
      moveOn(2 * hour);
      expect(await deliveryOf(workQueue, event), `call ${n}`).toMatchObject({ status: 'failed' });
      expect(await announced(account), `call ${n}`).toMatchObject([{ failures: 1, eventId: event.id }]);
      if (!killed) break;
    }
  });

  test('are not announced again when a redelivery fails', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(500));
    const event = await emittedLongAgo(account);
    await work(workQueue);
    moveOn(2 * hour);
    const before = await announced(account);
    expect(before).toHaveLength(1);
    await redeliver(stored, event);
    await work(workQueue);
    expect(to.received).toHaveLength(1);
    moveOn(2 * hour);
    expect(await announced(account)).toEqual(before);
    expect(await deliveryOf(workQueue, event)).toMatchObject({ status: 'failed' });
  });
});

describe('recovery', () => {
  const recovers = async (account: AccountId, stored: StoredWebhook, since: Date, until = time.now) => {
    await write(recoveryWrites(stored, { since, until }, time.now));
    await workJobs(account);
    // The clock of a job advances during its run, so the deliveries that the job creates are due after
    // `time.now`.
    moveOn(minute);
  };

  test('delivers the events that a disabled webhook missed', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(410));
    const from = time.now;
    const events = [await emitted(account)];
    await work(workQueue);
    moveOn(second);
    events.push(await emitted(account), await emitted(account));
    moveOn(second);
    const disabled = await webhooks.get(account, stored.id);
    const enabled = { ...disabled, active: true, version: disabled.version + 1 };
    await write(webhooks.replace(disabled, enabled));
    to.behave(behaviours.responds(200));
    await recovers(account, enabled, from);
    await work(workQueue);
    expect(new Set(await statusesOf(workQueue, ...events))).toEqual(new Set(['delivered']));
    expect(to.received).toHaveLength(4);
    await recovers(account, enabled, from);
    await work(workQueue);
    expect(to.received).toHaveLength(4);
  });

  test('keeps the ten newest earlier attempts, and restarts the schedule', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(
      behaviours.responds(500, {}, 'x'.repeat(1000)),
    );
    const from = time.now;
    const event = await emitted(account);
    while (await toNext(workQueue)) await work(workQueue);
    await redeliver(stored, event);
    await work(workQueue);
    expect((await deliveryOf(workQueue, event))?.attempts).toHaveLength(11);
    await recovers(account, stored, from);
    await toNext(workQueue);
    await work(workQueue);
    const again = await deliveryOf(workQueue, event);
    expect([again?.status, again?.attempts.length]).toEqual(['waiting', 11]);
    expect(Date.parse(again?.due ?? '') - time.now.getTime()).toBeLessThan(10 * second);
    to.behave(behaviours.responds(200));
    await toNext(workQueue);
    await work(workQueue);
    const { status, attempts = [] } = (await deliveryOf(workQueue, event)) ?? {};
    expect([status, attempts.map(({ number, earlier = false }) => [number, earlier])]).toEqual([
      'delivered',
      [...Array.from({ length: 10 }, (_, n) => [2 + n, true]), [12, false], [13, false]],
    ]);
    expect(attempts[0]).toMatchObject({ status: 500, response: 'x'.repeat(200) });
  });

  test('includes an event at “since”, and excludes an event at “until”', async () => {
    const account = newAccount();
    moveOn(second);
    await happens(account, time.now);
    moveOn(second);
    const since = time.now;
    const first = await happens(account, since);
    moveOn(second);
    await happens(account, time.now);
    const until = time.now;
    moveOn(second);
    const to = await receiver(behaviours.responds(200));
    const { stored, workQueue } = await subscribed(account, to.url);
    await recovers(account, stored, since, until);
    await work(workQueue);
    expect(to.received.map(({ headers }) => headers['webhook-id'])).toEqual([messageIdOf(first)]);
  });

  test('does not repeat test events', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(200), ['webhook_test']);
    const from = time.now;
    await happens(account, from, { kind: 'webhook_test', subject: { type: 'webhook', id: 7 }, data: {} });
    moveOn(second);
    await recovers(account, stored, from);
    await work(workQueue);
    expect(to.received).toEqual([]);
  });

  test('restarts cancelled deliveries', async () => {
    const { account, to, stored, workQueue } = await subscribedTo(behaviours.responds(500));
    const from = time.now;
    const event = await emitted(account);
    await work(workQueue);
    const off = { ...stored, active: false, version: 2 };
    await write(webhooks.replace(stored, off));
    await toNext(workQueue);
    await work(workQueue);
    expect(await deliveryOf(workQueue, event)).toMatchObject({ status: 'cancelled' });
    const on = { ...stored, version: 3 };
    await write(webhooks.replace(off, on));
    to.behave(behaviours.responds(200));
    await recovers(account, on, from);
    await toNext(workQueue);
    await work(workQueue);
    expect(await deliveryOf(workQueue, event)).toMatchObject({ status: 'delivered' });
  });

  test('delivers events of the subscribed kinds, even if they are older than the webhook', async () => {
    const account = newAccount();
    const from = time.now;
    const old = await happens(account, time.now);
    const unwanted = await happens(account, time.now, { kind: 'lead_deleted', data: {} });
    for (let n = 0; n < 60; n += 1) await happens(account, time.now, { kind: 'lead_deleted', data: {} });
    const late = await happens(account, time.now);
    moveOn(second);
    const to = await receiver(behaviours.responds(200));
    const { stored, workQueue } = await subscribed(account, to.url);
    await recovers(account, stored, from);
    await work(workQueue);
    expect(new Set(await statusesOf(workQueue, ...[old, late]))).toEqual(new Set(['delivered']));
    expect(await deliveryOf(workQueue, unwanted)).toBeUndefined();
    expect(to.received).toHaveLength(2);
  });
});
