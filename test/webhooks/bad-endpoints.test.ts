import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import deliveries from '../../events/consumers/deliveries.ts';
import { type DeliveryContent, deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { enqueueDeliveries } from '../../shared/messaging/webhooks/enqueue-deliveries.ts';
import { gaps } from '../../shared/messaging/webhooks/retry-schedule.ts';
import { attemptLimit } from '../../shared/messaging/webhooks/send.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import type { WorkQueue } from '../../shared/work-queue/keys.ts';
import { findWorkItem } from '../../shared/work-queue/list-work-items.ts';
import { readWorkQueueState } from '../../shared/work-queue/store.ts';
import { type Behaviour, behaviours, receiver } from '../harness/receiver.ts';
import { hour, run, second, time, triggerRun } from '../work-queue/world.ts';
import { happens, newAccount, webhook } from './subscribed.ts';

/** The timeout of an attempt in milliseconds, which is 15 s outside these tests. */
const quick = 1000;
const setRealTimeout = setTimeout;

beforeEach(() => {
  vi.stubEnv('STAGE', 'local');
  const inQuickTime = (act: () => void, after?: number) =>
    setRealTimeout(act, after === attemptLimit ? quick : after);
  vi.stubGlobal('setTimeout', Object.assign(inQuickTime, setRealTimeout));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const { responds, hangs, drips, resets } = behaviours;
/** The behaviour of each endpoint, and the details that each of its attempts must record. */
const bad: Record<string, { behaves: Behaviour; tls?: object; recorded: object }> = {
  hangs: { behaves: hangs, recorded: { error: 'timeout' } },
  'returns 500 and drips': { behaves: drips(500), recorded: { status: 500 } },
  'redirects to a metadata address': {
    behaves: responds(302, { location: 'http://169.254.169.254/latest/meta-data/' }),
    recorded: { status: 302, address: '127.0.0.1' },
  },
  'returns 500': { behaves: responds(500), recorded: { status: 500 } },
  'returns 429 with Retry-After': {
    behaves: responds(429, { 'retry-after': '7200' }),
    recorded: { status: 429 },
  },
  resets: { behaves: resets, recorded: { error: 'connection_failed' } },
  'has an untrusted certificate': { behaves: responds(200), tls: {}, recorded: { error: 'tls_failed' } },
  'returns 410': { behaves: responds(410), recorded: { status: 410 } },
};

const dueOf = async (workQueue: WorkQueue): Promise<number | undefined> => {
  const { due, pausedUntil = '' } = (await readWorkQueueState(workQueue)).state;
  return due === undefined ? undefined : Date.parse(due > pausedUntil ? due : pausedUntil);
};

test('failing endpoints (timeout, slow response, redirect, reset, TLS error, 500, 429 or 410) are retried on schedule and do not delay other endpoints', async () => {
  const account = newAccount();
  const fine = await receiver(responds(200));
  const good = await webhook(account, fine.url, { now: time.now, events: ['lead_created', 'lead_updated'] });
  const endpoints = await Promise.all(
    Object.entries(bad).map(async ([name, { behaves, tls, recorded }]) => {
      const to = await receiver(behaves, tls);
      return { name, recorded, ...(await webhook(account, to.url, { now: time.now })) };
    }),
  );
  const work = ({ workQueue }: { workQueue: WorkQueue }) => triggerRun(deliveries, workQueue);
  const isDue = async ({ workQueue }: { workQueue: WorkQueue }) =>
    ((await dueOf(workQueue)) ?? Number.POSITIVE_INFINITY) <= time.now.getTime();

  const event = await happens(account, time.now);
  await enqueueDeliveries(event, run());
  // Only the healthy endpoint is subscribed to these events. Its worker runs at the same time as the other
  // workers.
  for (let n = 0; n < 9; n++)
    await enqueueDeliveries(await happens(account, time.now, { kind: 'lead_updated' }), run());
  let first: string | undefined;
  const ends = (name: string) => () => {
    first ??= name;
  };
  await Promise.all([
    work(good).then(ends('good')),
    ...endpoints.map((one) => work(one).then(ends(one.name))),
  ]);
  expect(fine.received).toHaveLength(10);
  const slow = endpoints.filter(({ name }) => name === 'hangs' || name === 'returns 500 and drips');
  expect(slow.map(({ name }) => name)).not.toContain(first);

  for (;;) {
    const dues = await Promise.all(endpoints.map(({ workQueue }) => dueOf(workQueue)));
    const next = Math.min(...dues.filter((due) => due !== undefined));
    if (next === Number.POSITIVE_INFINITY) break;
    time.now = new Date(Math.max(next, time.now.getTime()));
    const due = await Promise.all(endpoints.map(isDue));
    await Promise.all(endpoints.filter((_, n) => due[n]).map(work));
  }

  for (const { name, recorded, workQueue, stored } of endpoints) {
    const workItem = await findWorkItem<DeliveryContent>(workQueue, deliveryId(event.id), time.now);
    const attempts = workItem?.attempts ?? [];
    expect(workItem?.status, name).toBe('failed');
    for (const attempt of attempts) expect(attempt, name).toMatchObject(recorded);
    const { active } = await webhooks.get(account, stored.id);
    if (name === 'returns 410') {
      expect([attempts.length, active]).toEqual([1, false]);
      continue;
    }
    expect([attempts.length, active], name).toEqual([10, true]);
    const pause = name === 'returns 429 with Retry-After' ? 2 * hour : 0;
    for (const [n, gap] of gaps.entries()) {
      const [before, after] = [attempts[n], attempts[n + 1]];
      const ended = Date.parse(before?.at ?? '') + Number(before?.durationMs);
      const waited = Date.parse(after?.at ?? '') - ended;
      expect(waited, `${name}, ${n + 2}`).toBeGreaterThanOrEqual(Math.max(gap * 0.8, pause));
      expect(waited, `${name}, ${n + 2}`).toBeLessThanOrEqual(Math.max(gap * 1.2, pause) + 2 * second);
    }
  }
});
