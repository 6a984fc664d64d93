import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { messagesOfRecord } from '../events/queue-messages.ts';
import { queuesFor } from '../events/routing.ts';
import createLead from '../functions/leads/create-lead.ts';
import deleteLead from '../functions/leads/delete-lead.ts';
import readLead from '../functions/leads/read-lead.ts';
import updateLead from '../functions/leads/update-lead.ts';
import listNotifications from '../functions/notifications/list-notifications.ts';
import createTeam from '../functions/teams/create-team.ts';
import createWebhook from '../functions/webhooks/create-webhook.ts';
import listWebhookDeliveries from '../functions/webhooks/list-webhook-deliveries.ts';
import { createTable } from '../infra/local/create-table.ts';
import { isRelayed } from '../infra/local/event-records.ts';
import type { StreamRecord } from '../infra/local/table-stream.ts';
import type { Event } from '../shared/events/envelope.ts';
import { isTriggerQueue, type QueueName, queueNames, queueUrlVariable } from '../shared/events/queues.ts';
import { parseEvent } from '../shared/events/read-event.ts';
import { tableName } from '../shared/table/client.ts';
import { recordOf } from '../shared/table/item.ts';
import { failCalls, seeded } from './harness/call-faults.ts';
import {
  consumerFunction,
  drain,
  drainInDisorder,
  newStreamRecords,
  recordsAfter,
  relay,
  takeMessages,
} from './harness/drain.ts';
import { mutations, runs } from './harness/heavy.ts';
import { killAt } from './harness/kill.ts';
import { member } from './harness/member.ts';
import { operatorsCommand } from './harness/operators-command.ts';
import { storedEvents } from './harness/raw-table.ts';
import { behaviours, receiver } from './harness/receiver.ts';
import { type Tenant, tenant } from './harness/tenant.ts';
import { watchWire } from './harness/wire.ts';

const eventQueues = queueNames.filter((name) => !isTriggerQueue(name));
const everyRun = Array.from({ length: runs }, (_, n) => n + 1);
const someone = { firstName: 'Ada', lastName: 'Byron' };
const query = { skipTeamAndSourceRequirement: true };

beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(() => void vi.restoreAllMocks());

/** Creates a new table, because the local engine becomes slow when the stream of a table is long. */
async function freshTable(name: string): Promise<void> {
  const before = tableName();
  process.env.TABLE_NAME = `${before}-${name}`;
  const client = new DynamoDBClient({});
  await createTable(client, tableName());
  client.destroy();
  onTestFinished(() => void Object.assign(process.env, { TABLE_NAME: before }));
}

/** The fields that identify an event: kind, subject id and version. */
type Acknowledged = Pick<Event, 'kind'> & {
  subject: { type: 'lead' | 'team'; id: number; version?: number };
};
const nameOf = ({ kind, subject }: Pick<Event, 'kind' | 'subject'> | Acknowledged) =>
  `${kind} of ${subject.id}${kind === 'lead_deleted' ? '' : `, version ${subject.version}`}`;

/**
 * Sends `count` changes, ten at a time. Of ten changes, five create leads, three update leads, one deletes a lead and
 * one creates a team.
 */
async function mutate({ key }: Tenant, count: number): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const leads: number[] = [];
  const lead = (kind: Event['kind'], id: number, version?: number) =>
    acknowledged.push({ kind, subject: { type: 'lead', id, version } });
  const mutateOnce = async (n: number): Promise<void> => {
    const turn = n % 10;
    const leadId = leads.at(-1 - (n % 7));
    if (turn < 5 || leadId === undefined) {
      const { id, version } = await key.ok(createLead, { query, body: someone });
      leads.push(id);
      lead('lead_created', id, version);
    } else if (turn < 8) {
      const body = { company: `Company ${n}` };
      const { status, body: changed } = await key.call(updateLead, { params: { leadId }, body });
      if (status === 200) lead('lead_updated', leadId, changed.version);
    } else if (turn === 8) {
      const { status } = await key.call(deleteLead, { params: { leadId } });
      if (status === 200) lead('lead_deleted', leadId);
    } else {
      const { id, version } = await key.ok(createTeam, { body: { name: `Team ${n}` } });
      acknowledged.push({ kind: 'team_created', subject: { type: 'team', id, version } });
    }
  };
  let next = 0;
  const worker = async () => {
    while (next < count) await mutateOnce(next++);
  };
  await Promise.all(Array.from({ length: 10 }, worker));
  return acknowledged;
}

/** The number of batches that the relay sends to the queues. A batch has at most ten messages. */
function sendsOf(records: readonly StreamRecord[]): number {
  const counts = new Map<string, number>();
  for (const { queue } of records.flatMap(messagesOfRecord)) counts.set(queue, (counts.get(queue) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.ceil(count / 10), 0);
}

/**
 * Runs the relay until the end of the stream. Like Lambda, repeats a batch until the relay responds. Two of three
 * invocations are killed: after they read the batch, while they send it, or before they respond.
 */
async function relayKilled(isOver: () => boolean, random: () => number): Promise<number> {
  let [position, kills]: [string | undefined, number] = [undefined, 0];
  for (;;) {
    const over = isOver();
    const batch = (await recordsAfter(position)).filter(isRelayed).slice(0, 10);
    if (batch.length === 0) {
      if (over) return kills;
      await new Promise((resolve) => setTimeout(resolve, 5));
      continue;
    }
    const run = async () =>
      expect(await relay({ Records: batch } as DynamoDBStreamEvent)).toEqual({ batchItemFailures: [] });
    const sends = sendsOf(batch);
    const [n, moment] = [
      [1, 'before'],
      [1 + Math.floor(random() * sends), random() < 0.5 ? 'before' : 'after'],
      [sends, 'after'],
    ][kills % 3] as [number, 'before' | 'after'];
    if (random() < 2 / 3 && (await killAt(n, moment, run, 'events-relay'))) kills += 1;
    else {
      await run();
      position = batch.at(-1)?.dynamodb.SequenceNumber;
    }
  }
}

test.each(everyRun)(
  `no acknowledged event is lost: the relay is killed repeatedly during ${mutations} changes (run %i)`,
  async (run) => {
    await freshTable(`relayed-${run}`);
    const acme = await tenant();
    let over = false;
    const mutating = mutate(acme, mutations).finally(() => {
      over = true;
    });
    const kills = await relayKilled(() => over, seeded(run));
    const acknowledged = await mutating;
    expect(acknowledged.length).toBeGreaterThan(mutations * 0.9);
    expect(kills).toBeGreaterThan(2);

    const delivered = new Map<QueueName, Set<string>>();
    for (const queue of eventQueues) {
      const events = (await takeMessages(queue)).map(({ Body = '' }) => parseEvent(Body));
      delivered.set(queue, new Set(events.flatMap((event) => (event ? [nameOf(event)] : []))));
    }
    const logged = (await storedEvents(acme.accountId)).map((item) => recordOf<Event>(item));
    const lost = [...acknowledged, ...logged].flatMap((event) =>
      queuesFor({ data: {}, ...event } as Event)
        .filter((queue) => !delivered.get(queue)?.has(nameOf(event)))
        .map((queue) => `${queue}: ${nameOf(event)}`),
    );
    expect(lost).toEqual([]);
  },
);

/** Creates an account with a webhook and a member. The member is notified of new leads on the website and by mail. */
async function listening() {
  const acme = await tenant();
  const ada = await member(acme, ['readLeads', 'readNotifications'], {
    notificationPreferences: [{ event: 'lead_created', deliveryPref: ['website', 'email'] }],
  });
  const to = await receiver(behaviours.responds(200));
  const { id } = await acme.admin.ok(createWebhook, { body: { url: to.url, events: ['lead_created'] } });
  await drain();
  const mails: string[] = [];
  const stop = watchWire({
    before({ service, input }) {
      const { Destination } = input as { Destination?: { ToAddresses: string[] } };
      if (service === 'ses' && Destination?.ToAddresses[0] === ada.user.email) mails.push(ada.user.email);
    },
  });
  onTestFinished(() => void stop());
  const createLeads = async (count: number): Promise<number[]> => {
    const leads: number[] = [];
    for (let n = 0; n < count; n++) leads.push((await acme.key.ok(createLead, { query, body: someone })).id);
    return leads;
  };
  /** The effects of creating these leads: audit entries, notifications, deliveries, requests and mails. */
  const outcome = async (leads: readonly number[]) => {
    const pageSize = 100;
    const entries = await Promise.all(
      leads.map(async (leadId) => (await acme.key.ok(readLead, { params: { leadId } })).auditLog.length),
    );
    const { data, totalCount } = await ada.client.ok(listNotifications, { query: { pageSize } });
    const events = new Set(data.map((notification) => notification.id));
    const deliveries = await acme.admin.ok(listWebhookDeliveries, { params: { id }, query: { pageSize } });
    return {
      entries,
      notifications: [events.size, data.length, totalCount],
      deliveries: deliveries.data.map(({ status }) => status),
      requests: to.received.map(({ headers }) => headers['webhook-id']),
      mails: mails.length,
    };
  };
  return { createLeads, outcome };
}

/** The expected effects of creating `count` leads. */
const onceEach = (count: number) => ({
  entries: Array(count).fill(1),
  notifications: [count, count, count],
  deliveries: Array(count).fill('delivered'),
  requests: expect.toSatisfy((ids: string[]) => ids.length === count && new Set(ids).size === count),
  mails: count,
});

test.each(everyRun)(
  'duplicates do no harm: messages that are delivered one to five times in random order take effect once (run %i)',
  async (run) => {
    const { createLeads, outcome } = await listening();
    await newStreamRecords();
    const leads = await createLeads(10);
    const Records = await newStreamRecords();
    const random = seeded(run + 7);
    // The first pass processes all messages, so the second pass delivers only duplicates.
    for (const _ of [1, 2]) {
      await relay({ Records } as DynamoDBStreamEvent);
      await drainInDisorder(random);
      expect(await outcome(leads)).toEqual(onceEach(10));
    }
  },
);

const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });

/** Runs a consumer on its queue as SQS does: failed messages are delivered again, and finally become dead letters. */
async function drainQueue(queue: QueueName): Promise<void> {
  const { default: consumer } = await import(`../events/consumers/${queue}.ts`);
  const consume = consumerFunction(consumer);
  const QueueUrl = process.env[queueUrlVariable(queue)];
  for (;;) {
    const taking = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(taking));
    if (Messages.length === 0) return;
    const Records = Messages.map(({ MessageId: messageId, Body: body }) => ({ messageId, body }));
    const { batchItemFailures } = await consume({ Records } as SQSEvent);
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { MessageId = '', ReceiptHandle } of Messages)
      if (!failed.has(MessageId)) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}

/** Returns the dead letters of a queue without removing them. */
async function deadLettersOf(queue: QueueName): Promise<string[]> {
  const QueueName = `merchant-ops-local-${queue}-dead-letters`;
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
  const looking = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(looking));
  return Messages.map(({ Body = '' }) => Body);
}

test('only the event that cannot be processed becomes a dead letter, and its redrive after the fix takes effect once', async () => {
  const { createLeads, outcome } = await listening();
  await newStreamRecords();
  const leads = await createLeads(10);
  const records = await newStreamRecords();
  await relay({ Records: records } as DynamoDBStreamEvent);
  const poison = records[6]?.dynamodb.NewImage?.id?.N ?? '';
  const queues = ['audit', 'notifications', 'webhooks'] as const;
  // The simulated bug: every write for this event fails.
  const { stop } = failCalls(({ operation, input }) =>
    /Put|Write/.test(operation) && JSON.stringify(input).includes(poison)
      ? { error: 'com.amazonaws.dynamodb.v20120810#ValidationException' }
      : undefined,
  );
  for (const queue of queues) await drainQueue(queue);
  await drain();
  expect(await outcome(leads)).toEqual({
    ...onceEach(9),
    entries: leads.map((_, n) => (n === 6 ? 0 : 1)),
  });
  stop();
  const isQueue = (queue: QueueName) => (queues as readonly QueueName[]).includes(queue);
  const letters = new Map<QueueName, string[]>();
  for (const queue of eventQueues) letters.set(queue, await deadLettersOf(queue));
  expect([...letters].map(([queue, bodies]) => [queue, bodies.map((body) => parseEvent(body)?.id)])).toEqual(
    eventQueues.map((queue) => [queue, isQueue(queue) ? [Number(poison)] : []]),
  );

  const { code, stdout } = await operatorsCommand('dead-letters').here(
    'redrive',
    '--all',
    '--stage',
    'local',
  );
  expect([code, stdout.trim().split('\n').length]).toEqual([0, 3]);
  await drain();
  expect(await outcome(leads)).toEqual(onceEach(10));
  for (const queue of eventQueues) expect(await deadLettersOf(queue)).toEqual([]);

  // Simulates an interrupted redrive, which sends some messages again.
  for (const queue of queues)
    for (const MessageBody of letters.get(queue) ?? [])
      await sqs.send(new SendMessageCommand({ QueueUrl: process.env[queueUrlVariable(queue)], MessageBody }));
  await drain();
  expect(await outcome(leads)).toEqual(onceEach(10));
});
