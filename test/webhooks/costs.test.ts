import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import deliveries from '../../events/consumers/deliveries.ts';
import { enqueueDeliveries } from '../../shared/messaging/webhooks/enqueue-deliveries.ts';
import { measure } from '../costs/meter.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { runAs } from '../harness/wire.ts';
import { minute, pass, run, time, triggerRun } from '../work-queue/world.ts';
import { happens, newAccount, webhook } from './subscribed.ts';

beforeEach(() => void vi.stubEnv('STAGE', 'local'));
afterEach(() => vi.unstubAllEnvs());

const counted = (act: () => Promise<unknown>) => measure(() => runAs({ functionName: 'a worker' }, act));

test('a single delivery costs at most 14 write and 8 read units', async () => {
  const account = newAccount();
  const to = await receiver(behaviours.responds(200));
  const { workQueue } = await webhook(account, to.url, { now: time.now });
  const event = await happens(account, time.now);
  const opened = await counted(() => enqueueDeliveries(event, run()));
  const worked = await counted(() => triggerRun(deliveries, workQueue));
  expect(to.received).toHaveLength(1);
  expect(opened.write + worked.write).toBeLessThanOrEqual(14);
  expect(opened.read + worked.read).toBeLessThanOrEqual(8);
});

test('each delivery of a burst of 100 to one webhook costs at most 6 write units', async () => {
  const account = newAccount();
  const to = await receiver(behaviours.responds(200, {}, 'x'.repeat(300)));
  const { workQueue } = await webhook(account, to.url, { now: time.now });
  const data = { changes: { notes: { to: 'y'.repeat(9_000) } } };
  const happening = Array.from({ length: 100 }, () => happens(account, time.now, { data }));
  const events = await Promise.all(happening);
  const opened = await counted(() => Promise.all(events.map((event) => enqueueDeliveries(event, run()))));
  const worked = await counted(async () => {
    // A run starts attempts for at most 18 s, so a slow machine needs more than one run.
    for (; to.received.length < 100; pass(minute)) await triggerRun(deliveries, workQueue);
  });
  expect(new Set(to.received.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
  expect((opened.write + worked.write) / 100).toBeLessThanOrEqual(6);
});

test('an event without a subscriber costs one read unit and no write units', async () => {
  const account = newAccount();
  await webhook(account, 'http://127.0.0.1:1/', { now: time.now, events: [] });
  const event = await happens(account, time.now);
  const { read, write } = await counted(() => enqueueDeliveries(event, run()));
  expect([read, write]).toEqual([1, 0]);
});
