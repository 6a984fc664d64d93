import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { messageBody } from '../../events/queue-messages.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { type DeadLetterSource, deadLetterSources } from '../../infra/administration/dead-letter-sources.ts';
import type { StreamRecord } from '../../infra/local/table-stream.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { eventInItem } from '../../shared/events/read-event.ts';
import { drainQueues, newStreamRecords } from '../harness/drain.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { requestedSpans } from '../harness/queue-ages.ts';
import { scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const command = operatorsCommand('dead-letters');
const deadLetters = (...args: string[]) => command.here(...args, '--stage', 'local');
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
const acme = await tenant();

afterAll(() => sqs.destroy());

const urlOf = async (source: DeadLetterSource) =>
  (await sqs.send(new GetQueueUrlCommand({ QueueName: `merchant-ops-local-${source}-dead-letters` })))
    .QueueUrl;

/** Sends a message to a dead-letter queue and returns its id. */
async function sendDeadLetter(source: DeadLetterSource, body: string): Promise<string> {
  const input = { QueueUrl: await urlOf(source), MessageBody: body };
  const { MessageId = '' } = await sqs.send(new SendMessageCommand(input));
  return MessageId;
}

async function countDeadLetters(): Promise<number> {
  const counts = await Promise.all(
    deadLetterSources.map(async (source) => {
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const QueueUrl = await urlOf(source);
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      return Number(Attributes?.ApproximateNumberOfMessages);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Creates a lead and returns its unprocessed event as a stream record and as a message. */
async function unprocessedLead(): Promise<{ id: number; record: StreamRecord; body: string }> {
  await newStreamRecords();
  const { id } = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const [record] = await newStreamRecords();
  if (!record) throw new Error('The lead has no event');
  return {
    id,
    record,
    body: messageBody(
      eventInItem(unmarshall((record.dynamodb.NewImage ?? {}) as Record<string, AttributeValue>)),
    ),
  };
}

const logOf = async (leadId: number) =>
  (await acme.key.ok(readLead, { params: { leadId } })).auditLog.map(({ event }) => event);

/** The dead letter that Lambda writes for failed stream records. */
const noteOf = (from: Date, to: Date) => ({
  requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 9 },
  DDBStreamBatchInfo: {
    approximateArrivalOfFirstRecord: from.toISOString(),
    approximateArrivalOfLastRecord: to.toISOString(),
    batchSize: 9,
  },
});

test('every kind of dead letter is redriven, and each event is processed once', async () => {
  const [consumed, recorded, parked, noted] = [
    await unprocessedLead(),
    await unprocessedLead(),
    await unprocessedLead(),
    await unprocessedLead(),
  ];
  await sendDeadLetter('audit', consumed.body);
  await sendDeadLetter('relay', JSON.stringify(recorded.record));
  await sendDeadLetter('relay', JSON.stringify({ queue: 'audit', body: parked.body }));
  const note = JSON.stringify(noteOf(new Date(Date.now() - 5_000), new Date()));
  const before = await scanTable();

  const dry = await deadLetters('redrive', '--all', '--dry-run');
  expect([dry.code, dry.stderr]).toEqual([0, '']);
  expect(dry.stdout.match(/would be sent to/g)).toHaveLength(3);
  expect([await countDeadLetters(), await scanTable()]).toEqual([3, before]);

  const real = await command.asProcess('redrive', '--all', '--stage', 'local');
  expect([real.code, real.stderr, await countDeadLetters()]).toEqual([0, '', 0]);
  await drainQueues();
  for (const { id } of [consumed, recorded, parked]) expect(await logOf(id)).toEqual(['lead_created']);
  expect(await logOf(noted.id)).toEqual([]);

  const id = await sendDeadLetter('relay', note);
  const previewed = await deadLetters('redrive', '--id', id, '--dry-run');
  expect(previewed.stdout).toBe(`relay ${id} would replay the events of its time span\n`);
  expect((await deadLetters('redrive', '--id', id)).code).toBe(0);
  // The time span of the relay's dead letter contains the events of the other three leads, so they are replayed too.
  await sendDeadLetter('audit', consumed.body);
  await deadLetters('redrive', '--queue', 'audit');
  await drainQueues();
  for (const lead of [consumed, recorded, parked, noted])
    expect(await logOf(lead.id)).toEqual(['lead_created']);
  expect(await countDeadLetters()).toBe(0);
});

test('dead letters with unknown content are kept and reported', async () => {
  const { record } = await unprocessedLead();
  const image = { ...record.dynamodb.NewImage, kind: { S: 'nothing_known' } };
  const bad = [
    await sendDeadLetter('relay', 'not even JSON'),
    await sendDeadLetter(
      'relay',
      JSON.stringify({ ...record, dynamodb: { ...record.dynamodb, NewImage: image } }),
    ),
  ];
  const { code, stderr } = await deadLetters('redrive', '--all');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^(.+\n){2}$/);
  expect(stderr).toContain(`relay ${bad[0]} kept: Unknown content: not a stream record, `);
  expect(stderr).toContain(`relay ${bad[1]} kept: `);
  expect(await countDeadLetters()).toBe(2);
  const shown = await deadLetters('show', '--id', bad[0] ?? '');
  expect(shown.stdout).toMatch(new RegExp(`^relay ${bad[0]}, since .*\nnot even JSON\n$`));
  expect((await deadLetters('remove', '--id', bad[0] ?? '')).code).toBe(0);
  expect(await countDeadLetters()).toBe(1);
  expect((await deadLetters('remove', '--all', '--dry-run')).stdout).toBe(
    `relay ${bad[1]} would be removed\n`,
  );
  expect(await countDeadLetters()).toBe(1);
  await deadLetters('remove', '--all');
  expect(await countDeadLetters()).toBe(0);
});

test('for each queue and its dead letters, the list shows the number of messages and the age of the oldest message', async () => {
  await sendDeadLetter('webhooks', 'x');
  const { stdout } = await deadLetters('list', '--json');
  const empty = { messages: 0 };
  expect(JSON.parse(stdout)).toEqual([
    ...queueNames.map((queue) => ({
      queue,
      waiting: empty,
      deadLetters: queue === 'webhooks' ? { messages: 1, oldestSeconds: 10_800 } : empty,
    })),
    { queue: 'relay', deadLetters: empty },
  ]);
  // SQS reports the age of a queue at least once in 15 minutes. An older report belongs to an earlier message.
  expect([...new Set(requestedSpans)]).toEqual([15 * 60]);
  const table = await deadLetters('list');
  expect(table.stdout).toMatch(/^webhooks +0 +- +1 +3 h$/m);
  await deadLetters('remove', '--all');
});

test('an unknown id and a missing selection are explained in one line', async () => {
  const unknown = { code: 1, stdout: '', stderr: 'No dead letter nothing.\n' };
  expect(await deadLetters('redrive', '--id', 'nothing')).toEqual(unknown);
  const unselected = { code: 2, stdout: '', stderr: '--id, --queue or --all is required. See --help.\n' };
  expect(await command.here('remove')).toEqual(unselected);
});
