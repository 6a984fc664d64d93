import type { SQSEvent } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import type { Consumer } from '../../events/consumer.ts';
import deliveries from '../../events/consumers/deliveries.ts';
import jobs from '../../events/consumers/jobs.ts';
import { consumerStatements } from '../../infra/rights/event-rights.ts';
import { commit } from '../../shared/events/outbox.ts';
import { wakeUpBody } from '../../shared/events/wake-up.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { type Backlog, webhookBacklog } from '../../shared/work-queue/backlog.ts';
import { findEntry } from '../../shared/work-queue/list-entries.ts';
import { entryOpened, openEntry } from '../../shared/work-queue/open-entry.ts';
import { readHead } from '../../shared/work-queue/store.ts';
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

/** What a job that nobody knows leaves: it was attempted, and comes again in a minute. */
async function expectPutOff(backlog: Backlog, id: string, told: readonly unknown[][]): Promise<void> {
  const found = await findEntry(backlog, id, clock.now());
  expect([found?.status, Date.parse(found?.due ?? '') > clock.now().getTime() + minute / 2]).toEqual([
    'waiting',
    true,
  ]);
  expect((await readHead(backlog)).head).toMatchObject({ due: found?.due, failures: told.length });
  expect(told.at(-1)?.[0]).toBe(`An attempt of ${id} in the backlog JOBS of ${backlog.account} failed:`);
}

test('what an endpoint opens in its transaction is attempted once the relay has forwarded its wake-up, and again once the delayed one is due', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  const backlog: Backlog = { account: 'queues-1' as AccountId, name: 'JOBS' };
  await commit({
    writes: entryOpened(backlog, unknownJob('a'), clock.now()),
    events: [],
    deadline: Date.now() + minute,
  });
  await drain();
  await expectPutOff(backlog, 'a', errors.mock.calls);
  expect(errors).toHaveBeenCalledTimes(1);
  clock.advance(minute + 5_000);
  await drain();
  await expectPutOff(backlog, 'a', errors.mock.calls);
  expect(errors).toHaveBeenCalledTimes(2);
});

test('a consumer may open an entry, and its wake-up has it attempted', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const [n, queue] of (['notifications', 'webhooks', 'deliveries', 'jobs'] as const).entries()) {
    errors.mockClear();
    const backlog: Backlog = { account: `queues-${2 + n}` as AccountId, name: 'JOBS' };
    const job = unknownJob('a');
    const run = { now: clock.now(), deadline: Date.now() + minute };
    const as = { functionName: `events-${queue}`, statements: consumerStatements(queue) };
    const open = () => runAs(as, () => openEntry(backlog, job, run));
    expect([await open(), await open()]).toEqual([true, false]);
    await drain();
    await expectPutOff(backlog, 'a', errors.mock.calls);
  }
});

test.each([
  ['deliveries', deliveries, { account: 'queues-9' as AccountId, name: 'JOBS' }],
  ['jobs', jobs, webhookBacklog('queues-9' as AccountId, 7)],
] as const)(
  'a wake-up that came to %s and is the other queue’s comes back, and its backlog is as it was',
  async (queue, consumer, backlog) => {
    const written = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    const run = { now: clock.now(), deadline: Date.now() + minute };
    await openEntry<unknown>(backlog, unknownJob('a'), run);
    const before = await readHead(backlog);
    written.mockClear();
    const body = wakeUpBody({ account: backlog.account, backlog: backlog.name });
    const { batchItemFailures } = await consumerFunction<unknown>(consumer as Consumer<unknown>)({
      Records: [{ messageId: 'm', body }],
    } as SQSEvent);
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'm' }]);
    expect(JSON.parse(String(written.mock.calls[0]?.[0]))).toMatchObject({
      queue,
      code: 'unreadable',
      account: backlog.account,
      backlog: backlog.name,
    });
    expect(await readHead(backlog)).toEqual(before);
    expect((await findEntry(backlog, 'a', clock.now()))?.attempts).toEqual([]);
  },
);
