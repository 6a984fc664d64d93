import { GetQueueAttributesCommand, PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from 'vitest';
import type { QueuedMessage } from '../../events/queue-messages.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { replayEvents } from '../../infra/operations/replay-events.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt } from '../../shared/id/mint.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import { drainQueues, newStreamRecords } from '../harness/drain.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { inVirtualTime } from '../harness/virtual-time.ts';
import { watchWire } from '../harness/wire.ts';

const replay = operatorsCommand('events', 'replay');
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
afterAll(() => sqs.destroy());

const [acme, globex, initech] = [await tenant(), await tenant(), await tenant()];
const everywhere = [acme, globex, initech].map(({ accountId }) => accountId).sort();
const now = () => new Date().toISOString();
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

/** The number of messages in each queue that is not empty. */
async function messagesInQueues(): Promise<Record<string, number>> {
  const counts = await Promise.all(
    queueNames.map(async (name) => {
      const QueueUrl = process.env[queueUrlVariable(name)];
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      return [name, Number(Attributes?.ApproximateNumberOfMessages)] as const;
    }),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

async function emptyQueues(): Promise<void> {
  for (const name of queueNames)
    await sqs.send(new PurgeQueueCommand({ QueueUrl: process.env[queueUrlVariable(name)] }));
}

const newLead = () => acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
const logOf = async (leadId: number) =>
  (await acme.key.ok(readLead, { params: { leadId } })).auditLog.map(({ event }) => event);

test('a replay processes an event whose messages were lost, and a second replay has no effect', async () => {
  const { id } = await newLead();
  await newStreamRecords();
  expect(await logOf(id)).toEqual([]);
  const span = ['--from', ago(600), '--to', now(), '--rate', '1000', '--stage', 'local'];
  for (let n = 0; n < 2; n++) {
    const { code, stdout, stderr } = await (n === 0 ? replay.asProcess : replay.here)(
      ...span,
      '--account',
      acme.accountId,
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\d+ events were sent as \d+ messages\.\n$/);
    await drainQueues();
    expect(await logOf(id)).toEqual(['lead_created']);
  }
});

test('a replay can be limited to a kind, a queue and an account', async () => {
  await emptyQueues();
  await newLead();
  const leads = (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'lead_created').length;
  const common = ['--from', ago(600), '--to', now(), '--kind', 'lead_created', '--rate', '1000'];
  const to = (queue: string) => replay.here(...common, '--queue', queue, '--stage', 'local');
  expect((await to('audit')).stdout).toBe(`${leads} events were sent as ${leads} messages.\n`);
  expect(await messagesInQueues()).toEqual({ audit: leads });
  // The event lead_created is not sent to the queue cleanup.
  expect((await to('cleanup')).stdout).toBe(`${leads} events were sent as 0 messages.\n`);
  const elsewhere = await replay.here(...common, '--account', globex.accountId, '--stage', 'local');
  expect(elsewhere.stdout).toBe('0 events were sent as 0 messages.\n');
  await emptyQueues();
});

test('a dry run changes nothing', async () => {
  const before = await scanTable();
  const span = ['--from', ago(600), '--to', now()];
  const { code, stdout } = await replay.here(...span, '--dry-run', '--stage', 'local');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^[1-9]\d* events would be sent as [1-9]\d* messages\.\n$/),
  ]);
  expect(await scanTable()).toEqual(before);
  expect(await messagesInQueues()).toEqual({});
});

/** Collects the sent events. The `failing`-th call throws. */
function sink(failing = Number.POSITIVE_INFINITY) {
  const sent: string[] = [];
  let calls = 0;
  const send = async (messages: readonly QueuedMessage[]) => {
    if (++calls === failing) throw new Error('Simulated crash');
    for (const { body } of messages) {
      const { accountId, id } = JSON.parse(body);
      sent.push(`${accountId}/${id}`);
    }
  };
  return { sent, send, rate: 1_000_000 };
}

test('an interrupted replay continues after its last sent event, and a completed replay starts from the beginning', async () => {
  const selection = { from: new Date(Date.now() - 600_000), to: new Date() };
  const events = await Promise.all(everywhere.map(storedEvents));
  const all = events.flat().map(({ accountId, id }) => `${accountId}/${id}`);
  const complete = sink();
  const { events: count } = await replayEvents(selection, complete);
  expect(new Set(complete.sent)).toEqual(new Set(all));
  let resumedInside = 0;
  for (let failing = 1; failing <= 4; failing++) {
    const [first, second, third] = [sink(failing), sink(), sink()];
    const isInterrupted = await replayEvents(selection, first).then(
      () => false,
      () => true,
    );
    const counted = await replayEvents(selection, { ...sink(), dryRun: true });
    const resumed = await replayEvents(selection, second);
    // The dry run did not change the progress.
    expect(resumed.resumedAfter).toEqual(counted.resumedAfter);
    expect(new Set([...first.sent, ...second.sent])).toEqual(new Set(all));
    const last = first.sent.length > 0 ? resumed.resumedAfter : undefined;
    if (isInterrupted && last) {
      resumedInside += 1;
      // The first run sent all events up to `last`, and the second run sent only the events after it.
      const done = all.slice(0, all.indexOf(`${last.account}/${last.event}`) + 1);
      expect(done.every((event) => first.sent.includes(event) && !second.sent.includes(event))).toBe(true);
      expect(resumed.events).toBe(all.length - done.length);
    }
    expect(await replayEvents(selection, third)).toMatchObject({ events: count });
  }
  expect(resumedInside).toBeGreaterThan(0);
});

test('replays that differ in kind, account, queue or time range do not share progress', async () => {
  const [from, to] = [new Date(Date.now() - 600_000), new Date()];
  const selection = { from, to, account: acme.accountId, kind: 'lead_created' } as const;
  // The replay sends all events and then fails to delete its progress, so the stored progress remains.
  const stop = watchWire({
    refuse: ({ operation, input }) =>
      operation === 'TransactWriteItems' && JSON.stringify(input).includes('"Delete"') ? 'no' : undefined,
  });
  await expect(replayEvents(selection, sink())).rejects.toThrow();
  stop();
  const others = [
    { from, to, account: acme.accountId },
    { ...selection, account: globex.accountId },
    { ...selection, queue: 'audit' as const },
    { ...selection, from: new Date(from.getTime() - 1) },
    { ...selection, to: new Date(to.getTime() - 1) },
  ];
  for (const other of others) expect((await replayEvents(other, sink())).resumedAfter).toBeUndefined();
  const { resumedAfter } = await replayEvents(selection, sink());
  expect(resumedAfter).toMatchObject({ account: acme.accountId });
});

test('a replay stays within its rate', async () => {
  const selection = { from: new Date(Date.now() - 600_000), to: new Date(), account: acme.accountId };
  const sends: { at: number; many: number }[] = [];
  await inVirtualTime(async () => {
    const start = Date.now();
    const send = async (messages: readonly QueuedMessage[]) =>
      void sends.push({ at: Date.now() - start, many: messages.length });
    await replayEvents(selection, { send, rate: 20 });
  });
  let before = 0;
  for (const { at, many } of sends) {
    expect(at).toBe(before * 50);
    before += many;
  }
  expect(sends.length).toBeGreaterThan(1);
});

test('the span is extended by 30 seconds at both ends', async () => {
  const middle = Date.parse('2026-02-03T04:05:06.000Z');
  const at = (milliseconds: number) => firstIdAt(new Date(middle + milliseconds));
  const [template] = await storedEvents(acme.accountId);
  const offsets = [-30_001, -30_000, 0, 60_000, 90_000, 90_001];
  const account = acme.accountId as AccountId;
  const items = offsets.map((offset) => ({ ...template, ...eventKey(account, at(offset)), id: at(offset) }));
  await putAll(items);
  const found = sink();
  await replayEvents({ from: new Date(middle), to: new Date(middle + 60_000) }, found);
  expect(new Set(found.sent)).toEqual(
    new Set(offsets.slice(1, -1).map((offset) => `${account}/${at(offset)}`)),
  );
  await deleteAll(items);
});

test.each([
  [['--from', ago(10), '--to', ago(20)], '--to must not be before --from.\n'],
  [['--from', ago(15 * 86_400), '--to', now()], '--to must be at most 14 days after --from.\n'],
  [['--from', ago(10), '--to', ago(-3600)], '--to must not be in the future.\n'],
  [
    ['--from', ago(10), '--to', now(), '--queue', 'jobs'],
    expect.stringContaining('--queue must be one of audit'),
  ],
])('an invalid span or queue is explained with exit code 2: %j', async (args, stderr) => {
  expect(await replay.here(...args)).toEqual({ code: 2, stdout: '', stderr });
});
