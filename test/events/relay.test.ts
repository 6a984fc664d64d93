import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { eventKey } from '../../shared/table/keys.ts';
import { newStreamRecords, relay } from '../harness/drain.ts';
import { sqsProxy, startSqsProxy } from '../harness/sqs-proxy.ts';
import { tenant } from '../harness/tenant.ts';

const engine = process.env.AWS_ENDPOINT_URL_SQS ?? '';
process.env.AWS_ENDPOINT_URL_SQS = await startSqsProxy(engine);
const { QUEUE_URL_AUDIT = '', RELAY_DEAD_LETTER_URL = '' } = process.env;
const sqs = new SQSClient({ endpoint: engine });

/** Takes everything out of a queue. */
async function receive(QueueUrl: string): Promise<Record<string, unknown>[]> {
  const bodies: Record<string, unknown>[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    if (Messages.length === 0) return bodies;
    for (const { Body = '', ReceiptHandle } of Messages) {
      bodies.push(JSON.parse(Body));
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}

const acme = await tenant();
const lead = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
await acme.key.ok(createTeam, { body: { name: 'West' } });
const stored = await newStreamRecords();
const nameOf = ({ dynamodb }: DynamoDBRecord) => dynamodb?.NewImage?.kind?.S;
const [template] = stored.filter((record) => nameOf(record) === 'lead_created');

/** The genuine record of a lead's creation, again under another id and sequence number. */
const record = (sequence: number, image: object = {}) =>
  ({
    ...template,
    dynamodb: {
      ...template?.dynamodb,
      SequenceNumber: String(sequence),
      NewImage: {
        ...template?.dynamodb.NewImage,
        ...marshall({ id: sequence, sk: eventKey(acme.accountId, sequence).sk }),
        ...image,
      },
    },
  }) as DynamoDBRecord;
const send = (Records: DynamoDBRecord[]) => relay({ Records } as DynamoDBStreamEvent);
const failed = (sequence: number) => ({ batchItemFailures: [{ itemIdentifier: String(sequence) }] });
const allSent = { batchItemFailures: [] };
const sequences = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const idIn = (body: string) => (JSON.parse(body) as { id: number }).id;

beforeEach(async () => {
  sqsProxy.reset();
  await receive(QUEUE_URL_AUDIT);
  await receive(RELAY_DEAD_LETTER_URL);
});

describe('the relay', () => {
  test('the relay sends each event as it is stored to the queues that want it, and to no other', async () => {
    expect(await send(stored)).toEqual(allSent);
    const [message, ...others] = await receive(QUEUE_URL_AUDIT);
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      kind: 'lead_created',
      version: 1,
      accountId: acme.accountId,
      actor: { user: acme.apiKey, apiKey: acme.apiKey },
      subject: { type: 'lead', id: lead.id, version: 1 },
    });
    expect(Object.keys(message ?? {}).sort()).toEqual([
      'accountId',
      'actor',
      'data',
      'id',
      'kind',
      'occurredAt',
      'request',
      'subject',
      'version',
    ]);
    expect(await receive(RELAY_DEAD_LETTER_URL)).toEqual([]);
  });

  test('the relay sends at most ten messages at a time', async () => {
    expect(await send(sequences(1, 23).map((sequence) => record(sequence)))).toEqual(allSent);
    const ofAudit = sqsProxy.batches.filter(({ QueueUrl }) => QueueUrl === QUEUE_URL_AUDIT);
    expect(ofAudit.map(({ Entries }) => Entries.length).sort()).toEqual([10, 10, 3]);
    const ids = (await receive(QUEUE_URL_AUDIT)).map(({ id }) => Number(id));
    expect(ids.sort((one, other) => one - other)).toEqual(sequences(1, 23));
  });

  test('the relay answers with the lowest sequence number that was not sent, as a number and not as text', async () => {
    sqsProxy.lose = (body) => ([9, 10, 100].includes(idIn(body)) ? 'failed' : undefined);
    expect(await send([100, 11, 10, 9, 8].map((sequence) => record(sequence)))).toEqual(failed(9));
    expect((await receive(QUEUE_URL_AUDIT)).map(({ id }) => Number(id)).sort()).toEqual([11, 8]);
  });

  test('the relay takes a message that SQS mentions nowhere for not sent', async () => {
    sqsProxy.lose = (body) => (idIn(body) === 5 ? 'missing' : undefined);
    expect(await send(sequences(1, 12).map((sequence) => record(sequence)))).toEqual(failed(5));
  });

  test('the relay sends nothing twice that went through, once the rest goes through too', async () => {
    sqsProxy.lose = (body) => (idIn(body) === 3 ? 'failed' : undefined);
    const records = sequences(1, 4).map((sequence) => record(sequence));
    expect(await send(records)).toEqual(failed(3));
    sqsProxy.reset();
    expect(await send(records.slice(2))).toEqual(allSent);
    const ids = (await receive(QUEUE_URL_AUDIT)).map(({ id }) => Number(id));
    expect(new Set(ids)).toEqual(new Set(sequences(1, 4)));
  });

  test('the relay answers with the first record where SQS does not answer at all', async () => {
    sqsProxy.down = true;
    expect(await send(sequences(7, 9).map((sequence) => record(sequence)))).toEqual(failed(7));
  });

  const unreadable: Record<string, object> = {
    'without an image': { NewImage: undefined },
    'of another type of value': { NewImage: { id: { S: 'seven' } } },
    'of an unknown kind': { kind: { S: 'lead_lost' } },
    'of a later version': { version: { N: '2' } },
    'without an account': { accountId: { S: '' } },
    'without a subject': { subject: { NULL: true } },
    'with a number that JSON cannot hold': { data: { M: { n: { N: '99999999999999999999' } } } },
    'that is no DynamoDB value': { data: { X: 1 } },
  };
  test.each(Object.entries(unreadable))(
    'the relay puts a record %s whole into its dead-letter queue, and sends the others',
    async (_, image) => {
      const genuine = record(2, image);
      const poison =
        'NewImage' in image ? { ...genuine, dynamodb: { ...genuine.dynamodb, ...image } } : genuine;
      expect(await send([record(1), poison as DynamoDBRecord, record(3)])).toEqual(allSent);
      expect((await receive(QUEUE_URL_AUDIT)).map(({ id }) => id).sort()).toEqual([1, 3]);
      expect(await receive(RELAY_DEAD_LETTER_URL)).toEqual([JSON.parse(JSON.stringify(poison))]);
    },
  );

  test('the relay holds on to a record that not even its dead-letter queue takes', async () => {
    sqsProxy.lose = (body) => ('dynamodb' in JSON.parse(body) ? 'failed' : undefined);
    expect(await send([record(1), record(2, { kind: { S: 'lead_lost' } }), record(3)])).toEqual(failed(2));
  });

  test('the relay sends text that SQS would not take as it stands', async () => {
    const name = 'я 😀 \uffff\ufffe\ufffd\u0000\u0085';
    const data = { data: marshall({ data: { changes: { firstName: { to: name } } } }).data };
    expect(await send([record(1, data)])).toEqual(allSent);
    const [{ Entries: [entry] = [] } = {}] = sqsProxy.batches;
    // The characters that SQS documents for a message.
    expect(entry?.MessageBody).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/);
    expect(await receive(QUEUE_URL_AUDIT)).toMatchObject([
      { data: { changes: { firstName: { to: name } } } },
    ]);
  });
});
