import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import notifications from '../../events/consumers/notifications.ts';
import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import { createTable } from '../../infra/local/create-table.ts';
import type { Event } from '../../shared/events/envelope.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { inboxOf } from '../../shared/messaging/notifications/list-inbox.ts';
import { tableName } from '../../shared/table/client.ts';
import { readPointers } from '../../shared/work-queue/store.ts';
import { measureUnits } from '../costs/meter.ts';
import { seeded } from '../harness/call-faults.ts';
import { clock } from '../harness/clock.ts';
import { crowd } from '../harness/crowd.ts';
import { consumerFunction, drainQueues } from '../harness/drain.ts';
import { recipients } from '../harness/heavy.ts';
import { killAt } from '../harness/kill.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { type Invocation, watchWire } from '../harness/wire.ts';
import { happens } from '../webhooks/subscribed.ts';

// Creates the table without a stream. A stream slows down the native engine as it grows, and no test in this
// file needs it.
process.env.TABLE_NAME = `${tableName()}-crowd`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });

beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));

/** For each invocation, the times of its first request and its last response. */
const times = new Map<Invocation, { from: number; to: number }>();
const stopWatching = watchWire({
  before({ invocation }) {
    if (invocation && !times.has(invocation)) times.set(invocation, { from: performance.now(), to: 0 });
  },
  done({ invocation }) {
    const time = invocation && times.get(invocation);
    if (time) time.to = performance.now();
  },
});
afterAll(stopWatching);

const isLarge = recipients > 1000;
const maxKills = isLarge ? 20 : 5;

const consume = consumerFunction(notifications);
/** Passes an event to the consumer, which creates a job because there are too many recipients. */
async function consumeEvent(event: Event): Promise<void> {
  const record = { messageId: '1', body: JSON.stringify(event) };
  expect(await consume({ Records: [record] } as SQSEvent)).toEqual({ batchItemFailures: [] });
}

const isOver = async (account: AccountId): Promise<boolean> =>
  (await readPointers({ account, name: 'JOBS' }, 10)).pointers.length === 0;

/** Expects that each user has exactly one unread notification, about this event. */
async function expectEachOnce(account: AccountId, ids: readonly number[], event: Event): Promise<void> {
  const wrong: number[] = [];
  const left = [...ids];
  const reader = async () => {
    for (let userId = left.pop(); userId !== undefined; userId = left.pop()) {
      const inbox = inboxOf({ account, userId }, clock.now());
      const [{ items }, total] = await Promise.all([inbox.newestUnread({}), inbox.unreadTotal()]);
      if (items.length !== 1 || items[0]?.id !== event.id || total !== 1) wrong.push(userId);
    }
  };
  await Promise.all(Array.from({ length: 20 }, reader));
  expect(wrong).toEqual([]);
}

// This test runs first, because pending requests of killed workers would distort the measurement.
test(`notifying ${recipients} members costs at most 8 write and 2 read units per member`, {
  timeout: 1_800_000,
}, async () => {
  const account = 'acc_counted' as AccountId;
  const ids = await crowd(account, recipients);
  const event = await happens(account, clock.now());
  const total = { read: 0, write: 0 };
  const counted = async (act: () => Promise<unknown>) => {
    const { read, write } = await measureUnits(act);
    total.read += read;
    total.write += write;
  };
  await counted(() => consumeEvent(event));
  while (!(await isOver(account))) {
    await counted(drainQueues);
    clock.advance(61_000);
    await counted(() => runSchedule(workQueueSweep, clock.now()));
  }
  await expectEachOnce(account, ids, event);
  console.info({ recipients, ...total });
  expect(total.write / recipients).toBeLessThanOrEqual(8);
  expect(total.read / recipients).toBeLessThanOrEqual(2);
});

test(`each of ${recipients} members is notified once, even if workers are killed at random${isLarge ? ', and no invocation takes more than 20 s' : ''}`, {
  timeout: 1_800_000,
}, async () => {
  const account = 'acc_killed' as AccountId;
  const ids = await crowd(account, recipients);
  const event = await happens(account, clock.now());
  const began = performance.now();
  await consumeEvent(event);
  const random = seeded(11);
  let kills = 0;
  while (!(await isOver(account))) {
    // The worker is killed at its `n`th request. If a run needs fewer requests, its worker is not killed.
    const n = 1 + Math.floor(random() * (recipients / (kills < maxKills ? 2 : 0.1)));
    const moment = random() < 0.5 ? 'before' : 'after';
    if (await killAt(n, moment, drainQueues, 'events-jobs')) kills += 1;
    clock.advance(61_000);
    await runSchedule(workQueueSweep, clock.now());
  }
  const seconds = (performance.now() - began) / 1000;
  await expectEachOnce(account, ids, event);
  const runs = [...times].filter(([{ functionName }]) => functionName === 'events-jobs');
  const longest = Math.max(...runs.map(([, { from, to }]) => to - from));
  console.info({ recipients, kills, seconds, runs: runs.length, longest });
  expect(kills).toBeGreaterThan(1);
  // Small runs are not timed, because they share the CPU with other tests.
  if (isLarge) expect(longest).toBeLessThanOrEqual(20_000);
});
