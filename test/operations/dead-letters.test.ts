import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { messageBody } from '../../events/outgoing.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import type { StreamRecord } from '../../infra/local/table-stream.ts';
import { type DeadLetterSource, deadLetterSources } from '../../infra/operations/dead-letter.ts';
import { eventInItem } from '../../shared/events/read-event.ts';
import { drainQueues, newStreamRecords } from '../harness/drain.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import '../harness/queue-ages.ts';
import { scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const deadLetters = operatorsCommand('dead-letters');
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
const acme = await tenant();

afterAll(() => sqs.destroy());

const urlOf = async (source: DeadLetterSource) =>
  (await sqs.send(new GetQueueUrlCommand({ QueueName: `merchant-ops-local-${source}-dead-letters` })))
    .QueueUrl;

/** Puts a letter where what was given up lies; its id. */
async function give(source: DeadLetterSource, body: string): Promise<string> {
  const input = { QueueUrl: await urlOf(source), MessageBody: body };
  const { MessageId = '' } = await sqs.send(new SendMessageCommand(input));
  return MessageId;
}

async function letters(): Promise<number> {
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

/** A lead whose event nobody has handled, and the record of that in the stream. */
async function unheard(): Promise<{ id: number; record: StreamRecord; body: string }> {
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

const noteOf = (from: Date, to: Date) => ({
  requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 9 },
  responseContext: { statusCode: 200, functionError: 'Unhandled' },
  version: '1.0',
  timestamp: to.toISOString(),
  DDBStreamBatchInfo: {
    shardId: 'shardId-1',
    startSequenceNumber: '1',
    endSequenceNumber: '9',
    approximateArrivalOfFirstRecord: from.toISOString(),
    approximateArrivalOfLastRecord: to.toISOString(),
    batchSize: 9,
    streamArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/s',
  },
});

test('every shape of dead letter is redriven, each once in effect', async () => {
  const [consumed, recorded, parked] = [await unheard(), await unheard(), await unheard()];
  const noted = await unheard();
  await give('audit', consumed.body);
  await give('relay', JSON.stringify(recorded.record));
  await give('relay', JSON.stringify({ queue: 'audit', body: parked.body }));
  const note = JSON.stringify(noteOf(new Date(Date.now() - 5_000), new Date()));
  const before = await scanTable();

  const dry = await deadLetters.here('redrive', '--all', '--dry-run', '--stage', 'local');
  expect([dry.code, dry.stderr]).toEqual([0, '']);
  expect(dry.stdout.match(/would go to/g)).toHaveLength(3);
  expect([await letters(), await scanTable()]).toEqual([3, before]);

  const real = await deadLetters.asProcess('redrive', '--all', '--stage', 'local');
  expect([real.code, real.stderr, await letters()]).toEqual([0, '', 0]);
  await drainQueues();
  for (const { id } of [consumed, recorded, parked]) expect(await logOf(id)).toEqual(['lead_created']);
  expect(await logOf(noted.id)).toEqual([]);

  const id = await give('relay', note);
  const previewed = await deadLetters.here('redrive', '--id', id, '--dry-run', '--stage', 'local');
  expect(previewed.stdout).toBe(`relay ${id} would replay the events of its time span\n`);
  expect((await deadLetters.here('redrive', '--id', id, '--stage', 'local')).code).toBe(0);
  // The replay repeats the other three as well.
  await give('audit', consumed.body);
  await deadLetters.here('redrive', '--queue', 'audit', '--stage', 'local');
  await drainQueues();
  for (const lead of [consumed, recorded, parked, noted])
    expect(await logOf(lead.id)).toEqual(['lead_created']);
  expect(await letters()).toBe(0);
});

test('what no shape fits stays, and is named', async () => {
  const { record } = await unheard();
  const image = { ...record.dynamodb.NewImage, kind: { S: 'nothing_known' } };
  const bad = [
    await give('relay', 'not even JSON'),
    await give('relay', JSON.stringify({ ...record, dynamodb: { ...record.dynamodb, NewImage: image } })),
  ];
  const { code, stderr } = await deadLetters.here('redrive', '--all', '--stage', 'local');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^(.+\n){2}$/);
  expect(stderr).toContain(`relay ${bad[0]} kept: Unknown content: not a stream record, `);
  expect(stderr).toContain(`relay ${bad[1]} kept: `);
  expect(await letters()).toBe(2);
  // They can be seen, and removed one by one or all.
  const shown = await deadLetters.here('show', '--id', bad[0] ?? '', '--stage', 'local');
  expect(shown.stdout).toMatch(new RegExp(`^relay ${bad[0]}, since .*\nnot even JSON\n$`));
  expect((await deadLetters.here('remove', '--id', bad[0] ?? '', '--stage', 'local')).code).toBe(0);
  expect(await letters()).toBe(1);
  expect((await deadLetters.here('remove', '--all', '--stage', 'local', '--dry-run')).stdout).toBe(
    `relay ${bad[1]} would be removed\n`,
  );
  expect(await letters()).toBe(1);
  await deadLetters.here('remove', '--all', '--stage', 'local');
  expect(await letters()).toBe(0);
});

test('the list has depth and oldest age of every queue and of its dead letters', async () => {
  await give('webhooks', 'x');
  const { stdout } = await deadLetters.here('list', '--json', '--stage', 'local');
  const empty = { messages: 0 };
  expect(JSON.parse(stdout)).toEqual([
    ...['audit', 'cleanup', 'notifications'].map((queue) => ({ queue, waiting: empty, deadLetters: empty })),
    { queue: 'webhooks', waiting: empty, deadLetters: { messages: 1, oldestSeconds: 10_800 } },
    ...['deliveries', 'jobs'].map((queue) => ({ queue, waiting: empty, deadLetters: empty })),
    { queue: 'relay', deadLetters: empty },
  ]);
  const table = await deadLetters.here('list', '--stage', 'local');
  expect(table.stdout).toMatch(/^webhooks +0 +- +1 +3 h$/m);
  await deadLetters.here('remove', '--all', '--stage', 'local');
});

test('a letter that is not there, and no choice at all, are a sentence', async () => {
  expect(await deadLetters.here('redrive', '--id', 'nothing', '--stage', 'local')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No dead letter nothing.\n',
  });
  expect(await deadLetters.here('remove')).toEqual({
    code: 2,
    stdout: '',
    stderr: '--id, --queue or --all is required. See --help.\n',
  });
});
