import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { gaps } from '../../shared/messaging/webhooks/retry-schedule.ts';
import type { WorkQueue } from '../../shared/work-queue/keys.ts';
import { findWorkItem } from '../../shared/work-queue/list-work-items.ts';
import { readWorkQueueState } from '../../shared/work-queue/store.ts';
import type { WorkItem } from '../../shared/work-queue/work-item.ts';
import { clock } from '../harness/clock.ts';
import { delayedMessages } from '../harness/delayed-messages.ts';
import { drain } from '../harness/drain.ts';
import { type Behaviour, behaviours, receiver } from '../harness/receiver.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { happens, newAccount, webhook } from './subscribed.ts';

const [minute, hour] = [60_000, 3_600_000];

beforeEach(() => {
  // Hides the metric that every sweep logs.
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Stops the clock during each operation, so that the real duration of an operation does not affect any time. */
const standStill = () => vi.useFakeTimers({ toFake: ['Date'] });

/**
 * Moves the clock to the next delayed message, or to the first full minute at which the sweep finds a due work queue.
 * Then handles all due work. Returns false if there is no delayed message and no work queue to sweep.
 */
async function toNext(...workQueues: WorkQueue[]): Promise<boolean> {
  const states = await Promise.all(workQueues.map(readWorkQueueState));
  const sweeps = states
    .flatMap(({ state: { sweepAt } }) => sweepAt ?? [])
    .map((at) => Math.ceil(Math.max(Date.parse(at), clock.now().getTime() + 1) / minute) * minute);
  const messages = delayedMessages().map(({ visibleAt }) => visibleAt.getTime());
  const next = Math.min(...sweeps, ...messages);
  if (next === Number.POSITIVE_INFINITY) return false;
  clock.advance(Math.max(0, next - clock.now().getTime()));
  if (next % minute === 0) await runSchedule(workQueueSweep, clock.now());
  await drain();
  return true;
}

/** Creates a webhook and an event for it, and processes the event. */
async function relayed(behaviour: Behaviour) {
  const account = newAccount();
  const to = await receiver(behaviour);
  const { stored, workQueue } = await webhook(account, to.url, { now: clock.now() });
  const event = await happens(account, clock.now());
  await drain();
  return { account, to, stored, workQueue, event };
}

async function deliveryOf(workQueue: WorkQueue, { id }: Event): Promise<WorkItem> {
  const workItem = await findWorkItem(workQueue, deliveryId(id), clock.now());
  if (!workItem) throw new Error('There is no delivery.');
  return workItem;
}

test('a delivery has exactly ten attempts, each within ±20% of its gap in the schedule, and none starts before its due time', async () => {
  standStill();
  const began = clock.now().getTime();
  const { account, to, workQueue, event } = await relayed(behaviours.responds(500));
  const dues: (string | undefined)[] = [];
  do dues.push((await deliveryOf(workQueue, event)).due);
  while (await toNext(workQueue, { account, name: 'JOBS' }));
  const { status, attempts } = await deliveryOf(workQueue, event);
  expect([status, to.received.length, attempts.length]).toEqual(['failed', 10, 10]);
  const ended = attempts.map(({ at, durationMs }) => Date.parse(at) + Number(durationMs));
  for (const [n, gap] of gaps.entries()) {
    const at = Date.parse(attempts[n + 1]?.at ?? '');
    const waited = at - (ended[n] ?? 0);
    expect([n, waited >= gap * 0.8, waited <= gap * 1.2]).toEqual([n, true, true]);
    const due = dues.filter((one) => one !== undefined && Date.parse(one) <= at).at(-1) ?? '';
    expect(Date.parse(due)).toBeGreaterThan(ended[n] ?? 0);
  }
  expect((ended.at(-1) ?? 0) - began).toBeLessThanOrEqual(96 * hour);
});

test('a delivery to an endpoint that keeps requesting pauses fails after 96 hours', async () => {
  standStill();
  const began = clock.now().getTime();
  const { to, workQueue, event } = await relayed((response) => {
    expect(clock.now().getTime() - began).toBeLessThanOrEqual(96 * hour);
    response.writeHead(503, { 'retry-after': String(20 * 3600) }).end();
  });
  while ((await deliveryOf(workQueue, event)).status === 'waiting')
    expect(await toNext(workQueue)).toBe(true);
  const { status, attempts } = await deliveryOf(workQueue, event);
  expect([status, to.received.length, attempts.at(-1)?.error]).toEqual(['failed', 5, 'too_late']);
});
