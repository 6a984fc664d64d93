import type { SQSEvent } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import type { Consumer } from '../../events/consumer.ts';
import deliveries from '../../events/consumers/deliveries.ts';
import jobs from '../../events/consumers/jobs.ts';
import messages from '../../events/consumers/messages.ts';
import partner from '../../events/consumers/partner.ts';
import sealing from '../../events/consumers/sealing.ts';
import { consumerStatements } from '../../infra/rights/event-rights.ts';
import { commit } from '../../shared/events/outbox.ts';
import { triggerBody } from '../../shared/events/trigger-message.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { enqueue, enqueueWrites } from '../../shared/work-queue/enqueue.ts';
import { type WorkQueue, webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { findWorkItem } from '../../shared/work-queue/list-work-items.ts';
import { readWorkQueueState } from '../../shared/work-queue/store.ts';
import { clock } from '../harness/clock.ts';
import { consumerFunction, drain } from '../harness/drain.ts';
import { runAs } from '../harness/wire.ts';

const minute = 60_000;
afterEach(() => void vi.restoreAllMocks());

const unknownJob = (id: string) => ({
  id,
  due: clock.now(),
  content: { job: 'a job that nobody knows' },
  expires: new Date(clock.now().getTime() + 60 * minute),
});

/** Expects that an unknown job was attempted, logged and postponed by a minute. */
async function expectPostponed(
  workQueue: WorkQueue,
  id: string,
  logged: readonly unknown[][],
): Promise<void> {
  const found = await findWorkItem(workQueue, id, clock.now());
  expect([found?.status, Date.parse(found?.due ?? '') > clock.now().getTime() + minute / 2]).toEqual([
    'waiting',
    true,
  ]);
  expect((await readWorkQueueState(workQueue)).state).toMatchObject({
    due: found?.due,
    failures: logged.length,
  });
  expect(logged.at(-1)?.[0]).toBe(
    `An attempt of ${id} in the work queue ${workQueue.name} of ${workQueue.account} failed:`,
  );
}

test('an item from an endpoint is attempted when the relay forwards the trigger message, and again when the delayed message arrives', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  const workQueue: WorkQueue = { account: 'queues-1' as AccountId, name: 'JOBS' };
  await commit({
    writes: enqueueWrites(workQueue, unknownJob('a'), clock.now()),
    events: [],
    deadline: Date.now() + minute,
  });
  await drain();
  await expectPostponed(workQueue, 'a', errors.mock.calls);
  expect(errors).toHaveBeenCalledTimes(1);
  clock.advance(minute + 5_000);
  await drain();
  await expectPostponed(workQueue, 'a', errors.mock.calls);
  expect(errors).toHaveBeenCalledTimes(2);
});

test('an item from a consumer is attempted when its trigger message arrives', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  const senders = [
    ['notifications', 'JOBS'],
    ['webhooks', 'SEALING'],
    ['deliveries', 'JOBS'],
    ['jobs', 'JOBS'],
    ['sealing', 'SEALING'],
  ] as const;
  for (const [n, [queue, name]] of senders.entries()) {
    errors.mockClear();
    const workQueue: WorkQueue = { account: `queues-${2 + n}` as AccountId, name };
    const job = unknownJob('a');
    const run = { now: clock.now(), deadline: Date.now() + minute };
    const as = { functionName: `events-${queue}`, statements: consumerStatements(queue) };
    const open = () => runAs(as, () => enqueue(workQueue, job, run));
    expect([await open(), await open()]).toEqual([true, false]);
    await drain();
    await expectPostponed(workQueue, 'a', errors.mock.calls);
  }
});

test.each([
  ['deliveries', deliveries, { account: 'queues-9' as AccountId, name: 'JOBS' }],
  ['partner', partner, webhookWorkQueue('queues-9' as AccountId, 7)],
  ['messages', messages, { account: 'queues-9' as AccountId, name: 'PARTNER' }],
  ['jobs', jobs, { account: 'queues-9' as AccountId, name: 'MAIL' }],
  ['sealing', sealing, { account: 'queues-9' as AccountId, name: 'JOBS' }],
] as const)(
  'a trigger message that arrives in %s by mistake is returned, and its work queue does not change',
  async (queue, consumer, workQueue) => {
    const written = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    const run = { now: clock.now(), deadline: Date.now() + minute };
    await enqueue<unknown>(workQueue, unknownJob('a'), run);
    const before = await readWorkQueueState(workQueue);
    written.mockClear();
    const body = triggerBody({ account: workQueue.account, workQueue: workQueue.name });
    const { batchItemFailures } = await consumerFunction<unknown>(consumer as Consumer<unknown>)({
      Records: [{ messageId: 'm', body }],
    } as SQSEvent);
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'm' }]);
    expect(JSON.parse(String(written.mock.calls[0]?.[0]))).toMatchObject({
      queue,
      code: 'unreadable',
      account: workQueue.account,
      workQueue: workQueue.name,
    });
    expect(await readWorkQueueState(workQueue)).toEqual(before);
    expect((await findWorkItem(workQueue, 'a', clock.now()))?.attempts).toEqual([]);
  },
);
