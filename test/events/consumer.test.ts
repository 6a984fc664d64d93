import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Consumer, consumerHandler } from '../../events/consumer.ts';
import audit from '../../events/consumers/audit.ts';
import createApplication from '../../functions/applications/create-application.ts';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { startQueues } from '../../infra/local/queues.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { commit } from '../../shared/events/outbox.ts';
import { queueNames } from '../../shared/events/queues.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import { systemEvent } from '../../shared/events/system-event.ts';
import { auditEntryOf } from '../../shared/integrity/audit/schema.ts';
import { queryItems } from '../../shared/table/read.ts';
import { anEvent } from '../harness/an-event.ts';
import { clock } from '../harness/clock.ts';
import { consumerFunction, drain, newEvents, newStreamRecords } from '../harness/drain.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(() => {
  noFaults();
  vi.restoreAllMocks();
});

const acme = await tenant();
const consume = consumerFunction(audit);
const messages = (bodies: unknown[]): SQSEvent =>
  ({
    Records: bodies.map((body, n) => ({
      messageId: `message-${n}`,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  }) as SQSEvent;
const returned = async (bodies: unknown[]) =>
  (await consume(messages(bodies))).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

/** Creates leads, and returns the ids and the events of the creation. */
async function createdEvents(count: number): Promise<{ ids: number[]; events: Event[] }> {
  await newStreamRecords();
  const ids: number[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: `No ${n}` } })).id);
  return { ids, events: (await newEvents()).filter(({ kind }) => kind === 'lead_created') };
}
const workItemsOf = async (ids: number[]) =>
  Promise.all(
    ids.map(async (leadId) => (await acme.key.ok(readLead, { params: { leadId } })).auditLog.length),
  );

/** Returns a message that can be read but contains a number that the table rejects. */
const unwritable = (event: Event) => ({ ...event, data: { changes: { notes: { to: 1e300 } } } });

describe('a batch of ten messages', () => {
  // Hides the log of failed messages.
  beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));

  test.each<[string, (event: Event) => unknown]>([
    ['that is not JSON', () => '{'],
    ['that is not an event', () => ({ hello: 'world' })],
    ['of an unknown kind', (event) => ({ ...event, kind: 'lead_lost' })],
    ['of a later version', (event) => ({ ...event, version: 2 })],
    ['with an invalid account id', (event) => ({ ...event, accountId: 'a#b' })],
    ['that is readable but cannot be written', unwritable],
  ])('only the message %s is delivered again, and the others are processed', async (_, poison) => {
    const { ids, events } = await createdEvents(10);
    const bodies: unknown[] = events.map((event, n) => (n === 6 ? poison(event) : event));
    expect(await returned(bodies)).toEqual(['message-6']);
    expect(await workItemsOf(ids)).toEqual([1, 1, 1, 1, 1, 1, 0, 1, 1, 1]);
    // The valid message of the same event then writes one entry, even if it is delivered twice.
    expect(await returned([events[6], events[6]])).toEqual([]);
    expect(await workItemsOf(ids)).toEqual(Array(10).fill(1));
  });

  test('all messages are delivered again while the table fails, and are processed when the table works again', async () => {
    const { ids, events } = await createdEvents(10);
    injectFaults({ unprocessed: 1 });
    expect(await returned(events)).toHaveLength(10);
    noFaults();
    expect(await workItemsOf(ids)).toEqual(Array(10).fill(0));
    expect(await returned(events)).toEqual([]);
    expect(await workItemsOf(ids)).toEqual(Array(10).fill(1));
  });
});

describe('an audit entry', () => {
  test('an audit entry above 4 KB contains only field names, and a smaller entry contains values', async () => {
    const { ids, events } = await createdEvents(1);
    const [leadId = 0] = ids;
    const [event] = events;
    if (!event) throw new Error('The lead has no event.');
    const entry = (id: number, length: number) => ({
      ...event,
      id,
      data: {
        changes: { notes: { to: 'x'.repeat(length) }, company: { from: 'a', to: 'b' } },
        unassigned: true,
      },
    });
    const rest = Buffer.byteLength(JSON.stringify(auditEntryOf(entry(event.id + 1, 0) as Event)));
    const [fits, tooLong] = [entry(event.id + 1, 4096 - rest), entry(event.id + 2, 4097 - rest)];
    expect(await returned([fits, tooLong])).toEqual([]);
    const { auditLog } = await acme.key.ok(readLead, { params: { leadId } });
    expect(auditLog.map(({ data }) => data)).toEqual([
      { changes: { notes: {}, company: {} }, unassigned: true },
      fits.data,
    ]);
  });

  test('an audit entry of a record that does not exist is removed', async () => {
    const { events } = await createdEvents(1);
    const subject = { type: 'application', id: 'app_0123456789' };
    expect(await returned(events.map((event) => ({ ...event, subject })))).toEqual([]);
    const partition = `ACCOUNT#${acme.accountId}#APPLICATION#app_0123456789`;
    expect(await queryItems({ partition })).toEqual([]);
  });

  test('an audit entry of an application is stored in the application’s partition', async () => {
    const { events } = await createdEvents(1);
    const { id } = await acme.key.ok(createApplication);
    const subject = { type: 'application', id };
    expect(await returned(events.map((event) => ({ ...event, subject })))).toEqual([]);
    const partition = `ACCOUNT#${acme.accountId}#APPLICATION#${id}`;
    const items = await queryItems({ partition, sortKey: { from: 'AUDIT#', to: 'AUDIT#~' } });
    expect(items.map(({ sk, event }) => [String(sk).slice(0, 6), event])).toEqual([
      ['AUDIT#', 'lead_created'],
    ]);
  });

  test('an audit log shows only the newest hundred entries, newest first', async () => {
    const { ids, events } = await createdEvents(1);
    const [leadId = 0] = ids;
    const [event] = events;
    const many = Array.from({ length: 110 }, (_, n) => ({ ...event, id: (event?.id ?? 0) + n }));
    for (let start = 0; start < many.length; start += 10)
      expect(await returned(many.slice(start, start + 10))).toEqual([]);
    const { auditLog } = await acme.key.ok(readLead, { params: { leadId } });
    expect(auditLog.map(({ id }) => id)).toEqual(
      many
        .slice(10)
        .map(({ id }) => id)
        .reverse(),
    );
  });
});

describe('a consumer', () => {
  const logLines: Record<string, unknown>[] = [];
  beforeEach(() => {
    logLines.splice(0);
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      const line = JSON.parse(String(text));
      // A run of `jobs` that an earlier test file killed may still log its missed deadline here.
      if (line.queue !== 'jobs') logLines.push(line);
      return true;
    });
  });
  /** Returns a consumer whose function has this much time left, and the list of events that were handled. */
  const deployed = (handle: (event: Event) => unknown, milliseconds = 30_000) => {
    const handled: Event[] = [];
    const consumer: Consumer = {
      queue: 'audit',
      async handle(event) {
        await handle(event);
        handled.push(event);
      },
    };
    const context = { getRemainingTimeInMillis: () => milliseconds };
    const run = async (bodies: unknown[]) => {
      const { batchItemFailures } = await consumerHandler(consumer, clock.now)(messages(bodies), context);
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    };
    return { handled, run };
  };

  test('events with the same id in two accounts do not affect each other', async () => {
    const [one, other] = [await createdEvents(1), await createdEvents(1)];
    const beta = await tenant();
    const { id: betaLead } = await beta.key.ok(createLead, { body: { firstName: 'Bea', lastName: 'Lee' } });
    const [event] = one.events;
    if (!event) throw new Error('The lead has no event.');
    const ofBeta = { ...event, accountId: beta.accountId, subject: { ...event.subject, id: betaLead } };
    // The table returns only beta's entry as unprocessed, so only beta's message is delivered again.
    injectFaults({ leaves: (write) => write.includes(beta.accountId) });
    expect(await returned([event, ofBeta, ...other.events])).toEqual(['message-1']);
    noFaults();
    expect(await returned([ofBeta])).toEqual([]);
    expect(await workItemsOf([...one.ids, ...other.ids])).toEqual([1, 1]);
    const { auditLog } = await beta.key.ok(readLead, { params: { leadId: betaLead } });
    expect(auditLog.map(({ id }) => id)).toEqual([event.id]);
  });

  test('if the handling of one message hangs, other messages are still handled', async () => {
    const queue = (
      await startQueues({
        endpoint: process.env.AWS_ENDPOINT_URL_SQS,
        prefix: 'hanging',
        visibilitySeconds: 60,
      })
    ).queues.find((one) => one.name === 'audit');
    const client = new SQSClient({
      endpoint: process.env.AWS_ENDPOINT_URL_SQS,
      useQueueUrlAsEndpoint: false,
    });
    onTestFinished(() => client.destroy());
    const QueueUrl = queue?.url;
    for (let id = 1; id <= 10; id++)
      await client.send(
        new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(anEvent({ id: id })) }),
      );
    // The function has five seconds left, and its deadline is five seconds before its timeout, so it cannot wait for
    // message 4.
    const { handled, run } = deployed(({ id }) => (id === 4 ? new Promise(() => {}) : undefined), 5_000);
    for (let receives = 0; receives < 8; receives++) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length === 0) break;
      const failed = await run(Messages.map(({ Body = '' }) => JSON.parse(Body)));
      // Makes a failed message visible again after all other messages are deleted.
      for (const [index, { ReceiptHandle }] of Messages.entries())
        if (!failed.includes(`message-${index}`))
          await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      for (const [index, { ReceiptHandle }] of Messages.entries())
        if (failed.includes(`message-${index}`))
          await client.send(
            new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
          );
    }
    expect(logLines.filter(({ code, event }) => code !== 'deadline' || event !== 4)).toEqual([]);
    const { Messages: dead = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: queue?.deadLetterUrl, MaxNumberOfMessages: 10 }),
    );
    expect(dead.map(({ Body = '' }) => JSON.parse(Body).id)).toEqual([4]);
    expect(handled.map(({ id }) => id)).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10]);
  });

  test('a failed message is logged once with queue, account, event and error code, but without content', async () => {
    const { run } = deployed(({ id }) => {
      if (id === 2) throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    });
    await run([
      anEvent({ id: 1 }),
      { ...anEvent({ id: 2 }), data: { changes: { notes: { to: 'canary' } } } },
      'nothing',
    ]);
    expect(logLines).toMatchObject([
      { queue: 'audit', messageId: 'message-2', code: 'unreadable' },
      { queue: 'audit', account: 'acc_1', event: 2, kind: 'lead_created', code: 'ThrottlingException' },
    ]);
    expect(logLines).toHaveLength(2);
    expect(JSON.stringify(logLines)).not.toContain('canary');
  });

  test('a failed message is logged with the causes of its error', async () => {
    const { run } = deployed(() => {
      const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { path: 'canary' });
      throw new AggregateError([refused], '', { cause: new Error('no route') });
    });
    await run([anEvent({ id: 1 })]);
    expect(logLines).toEqual([
      expect.objectContaining({
        code: 'AggregateError',
        error: 'connect ECONNREFUSED 127.0.0.1:9',
        stack: expect.stringContaining('consumer.test.ts'),
        cause: { name: 'Error', message: 'no route', stack: expect.any(String) },
        errors: [{ name: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:9', stack: expect.any(String) }],
      }),
    ]);
    expect(JSON.stringify(logLines)).not.toContain('canary');
  });

  test.each(['the text', 42, null])(
    'a thrown value that is not an error keeps its text: %s',
    async (value) => {
      const { run } = deployed(() => {
        throw value;
      });
      await run([anEvent({ id: 1 })]);
      expect(logLines).toMatchObject([{ queue: 'audit', event: 1, code: 'Error', error: String(value) }]);
    },
  );

  test('the deadline of a message is five seconds before the timeout of the function', async () => {
    const deadlines: number[] = [];
    const consumer: Consumer = {
      queue: 'audit',
      handle: async (_, { deadline }) => void deadlines.push(deadline),
    };
    const before = Date.now();
    const context = { getRemainingTimeInMillis: () => 12_000 };
    await consumerHandler(consumer, clock.now)(messages([anEvent({ id: 1 })]), context);
    expect(deadlines[0]).toBeGreaterThanOrEqual(before + 7_000);
    expect(deadlines[0]).toBeLessThanOrEqual(Date.now() + 7_000);
  });

  test.each(queueNames)(
    'for a health check, the consumer of %s publishes the delay and calls no handler',
    async (queue) => {
      const lines: string[] = [];
      vi.spyOn(process.stdout, 'write').mockImplementation((line) => Boolean(lines.push(String(line))));
      const { default: consumer } = await import(`../../events/consumers/${queue}.ts`);
      const handle = vi.fn();
      const occurredAt = new Date(clock.now().getTime() - 42_000).toISOString();
      const body = { ...anEvent({ id: 1 }), kind: 'healthcheck', accountId: 'healthcheck', occurredAt };
      const now = clock.now();
      const response = await consumerHandler({ ...consumer, handle }, () => now)(messages([body]));
      vi.restoreAllMocks();
      expect(response).toEqual({ batchItemFailures: [] });
      expect(handle).not.toHaveBeenCalled();
      const [metric] = lines.filter((line) => line.includes('EventLag')).map((line) => JSON.parse(line));
      expect(metric).toMatchObject({ stage: 'local', queue });
      expect(metric.EventLag).toBeCloseTo(42, 0);
      expect(metric._aws.CloudWatchMetrics[0].Dimensions).toEqual([['stage', 'queue']]);
    },
  );
});

test('an event that a schedule emits has the actor `system`, contains the name of the schedule, and gets an audit entry', async () => {
  const lead = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const event = systemEvent(
    {
      kind: 'lead_updated',
      subject: { type: 'lead', id: lead.id, version: 2 },
      data: { changes: { company: { to: 'Engines' } } },
    },
    { account: lead.accountId, now: clock.now(), schedule: 'sla-sweep' },
  );
  await commit({ writes: [], events: [event], deadline: Date.now() + 10_000 });
  const query = { actor: 'system' };
  const { data } = (await acme.admin.ok(listEvents, { query })) as { data: LoggedEvent[] };
  expect(data).toEqual([event]);
  expect(data[0]).toMatchObject({
    actor: { user: 'system', apiKey: null },
    request: { method: 'SCHEDULE', path: 'sla-sweep', headers: {}, ipAddress: '' },
  });
  await drain();
  const { auditLog } = await acme.admin.ok(readLead, { params: { leadId: lead.id } });
  expect(auditLog).toContainEqual(
    expect.objectContaining({
      id: event.id,
      user: 'system',
      apiKey: null,
      requestMethod: 'SCHEDULE',
      requestPath: 'sla-sweep',
      requestIpAddress: '',
    }),
  );
});
