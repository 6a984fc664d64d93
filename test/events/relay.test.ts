import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import healthCheck from '../../events/schedules/health-check.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { commit } from '../../shared/events/outbox.ts';
import { queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import { triggerItemWrite } from '../../shared/events/trigger-message.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { clock } from '../harness/clock.ts';
import { newStreamRecords, relay, wholeStream } from '../harness/drain.ts';
import { scanTable } from '../harness/raw-table.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { tenant } from '../harness/tenant.ts';
import { sqsProxy, startSqsProxy } from './sqs-proxy.ts';

const engine = process.env.AWS_ENDPOINT_URL_SQS ?? '';
process.env.AWS_ENDPOINT_URL_SQS = await startSqsProxy(engine);
const { QUEUE_URL_AUDIT = '', RELAY_DEAD_LETTER_URL = '' } = process.env;
const sqs = new SQSClient({ endpoint: engine });

/** Receives all messages of a queue. */
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

/** Returns the stream record of a created lead, with `sequence` as id and sequence number. */
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

/** The log lines of the relay. */
const logLines: Record<string, unknown>[] = [];

beforeEach(async () => {
  logLines.splice(0);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    const line = JSON.parse(String(text));
    // A run that an earlier test file killed may still log its missed deadline here.
    if (line.code !== 'deadline') logLines.push(line);
    return true;
  });
  clock.reset();
  sqsProxy.reset();
  // The relay keeps failing queues in memory. A successful send clears those of an earlier test.
  await send([record(1)]);
  sqsProxy.reset();
  await receive(QUEUE_URL_AUDIT);
  await receive(RELAY_DEAD_LETTER_URL);
});

describe('the relay', () => {
  test('the relay sends each event unchanged to the queues that the routing defines', async () => {
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

  test('the relay sends at most ten messages per batch', async () => {
    expect(await send(sequences(1, 23).map((sequence) => record(sequence)))).toEqual(allSent);
    const ofAudit = sqsProxy.batches.filter(({ QueueUrl }) => QueueUrl === QUEUE_URL_AUDIT);
    expect(ofAudit.map(({ Entries }) => Entries.length).sort()).toEqual([10, 10, 3]);
    const ids = (await receive(QUEUE_URL_AUDIT)).map(({ id }) => Number(id));
    expect(ids.sort((one, other) => one - other)).toEqual(sequences(1, 23));
  });

  test('the relay compares sequence numbers as numbers, and returns the lowest unsent number', async () => {
    sqsProxy.lose = (body) => ([9, 10, 100].includes(idIn(body)) ? 'failed' : undefined);
    expect(await send([100, 11, 10, 9, 8].map((sequence) => record(sequence)))).toEqual(failed(9));
    expect((await receive(QUEUE_URL_AUDIT)).map(({ id }) => Number(id)).sort()).toEqual([11, 8]);
  });

  test('the relay treats a message that is missing in the response of SQS as unsent', async () => {
    sqsProxy.lose = (body) => (idIn(body) === 5 ? 'missing' : undefined);
    expect(await send(sequences(1, 12).map((sequence) => record(sequence)))).toEqual(failed(5));
  });

  test('the relay returns the first record as failed if every send fails', async () => {
    sqsProxy.down = true;
    expect(await send(sequences(7, 9).map((sequence) => record(sequence)))).toEqual(failed(7));
  });

  const unreadable: Record<string, object> = {
    'without an image': { NewImage: undefined },
    'with an id that is not a number': { NewImage: { id: { S: 'seven' } } },
    'of an unknown kind': { kind: { S: 'lead_lost' } },
    'of a later version': { version: { N: '2' } },
    'without an account': { accountId: { S: '' } },
    'without a subject': { subject: { NULL: true } },
    'with a number that JSON cannot represent': { data: { M: { n: { N: '99999999999999999999' } } } },
    'with an invalid DynamoDB value': { data: { X: 1 } },
  };
  test.each(Object.entries(unreadable))(
    'the relay sends a record %s unchanged to its dead-letter queue, and sends all other records as events',
    async (_, image) => {
      const genuine = record(2, image);
      const poison =
        'NewImage' in image ? { ...genuine, dynamodb: { ...genuine.dynamodb, ...image } } : genuine;
      expect(await send([record(1), poison as DynamoDBRecord, record(3)])).toEqual(allSent);
      expect((await receive(QUEUE_URL_AUDIT)).map(({ id }) => id).sort()).toEqual([1, 3]);
      expect(await receive(RELAY_DEAD_LETTER_URL)).toEqual([JSON.parse(JSON.stringify(poison))]);
    },
  );

  test('the relay retries a record that its dead-letter queue does not accept', async () => {
    sqsProxy.lose = (body) => ('dynamodb' in JSON.parse(body) ? 'failed' : undefined);
    expect(await send([record(1), record(2, { kind: { S: 'lead_lost' } }), record(3)])).toEqual(failed(2));
  });

  test('the relay escapes characters that SQS rejects', async () => {
    const name = 'я 😀 \uffff\ufffe\ufffd\u0000\u0085';
    const data = { data: marshall({ data: { changes: { firstName: { to: name } } } }).data };
    expect(await send([record(1, data)])).toEqual(allSent);
    const [{ Entries: [entry] = [] } = {}] = sqsProxy.batches;
    // The characters that SQS accepts according to its documentation.
    expect(entry?.MessageBody).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/);
    expect(await receive(QUEUE_URL_AUDIT)).toMatchObject([
      { data: { changes: { firstName: { to: name } } } },
    ]);
  });

  const { QUEUE_URL_CLEANUP = '', QUEUE_URL_NOTIFICATIONS = '', QUEUE_URL_DELIVERIES = '' } = process.env;
  const minutes = (count: number) => count * 60_000;
  /** Returns a record written `age` milliseconds before the time of the test's clock. */
  const aged = (sequence: number, age: number) => {
    const { dynamodb, ...rest } = record(sequence);
    const ApproximateCreationDateTime = (clock.now().getTime() - age) / 1000;
    return { ...rest, dynamodb: { ...dynamodb, ApproximateCreationDateTime } };
  };
  /** Returns the event ids of all messages sent to a queue since the last reset, accepted or not. */
  const sentTo = (url: string) =>
    sqsProxy.batches
      .filter(({ QueueUrl }) => QueueUrl === url)
      .flatMap(({ Entries }) => Entries.map(({ MessageBody }) => idIn(MessageBody)));

  test('a queue that fails for an hour does not delay other queues', async () => {
    sqsProxy.lose = (_, url) => (url === QUEUE_URL_AUDIT ? 'failed' : undefined);
    await receive(QUEUE_URL_NOTIFICATIONS);
    // For 15 minutes, the relay retries records of the failing queue. Other queues receive their messages immediately.
    const first = aged(1, 0);
    expect(await send([first])).toEqual(failed(1));
    expect(sentTo(QUEUE_URL_NOTIFICATIONS)).toEqual([1]);
    clock.advance(minutes(15) - 1000);
    expect(await send([first])).toEqual(failed(1));
    clock.advance(2000);
    expect(await send([first])).toEqual(allSent);
    // After 15 minutes, messages for the failing queue become dead letters immediately.
    for (let minute = 16; minute <= 60; minute += 11) {
      clock.advance(minutes(11));
      expect(await send([aged(minute, 0)])).toEqual(allSent);
    }
    expect(new Set((await receive(QUEUE_URL_NOTIFICATIONS)).map(({ id }) => id))).toEqual(
      new Set([1, 16, 27, 38, 49, 60]),
    );
    const deadLetters = await receive(RELAY_DEAD_LETTER_URL);
    expect(deadLetters.map(({ queue, body }) => [queue, idIn(String(body))])).toEqual(
      [1, 16, 27, 38, 49, 60].map((id) => ['audit', id]),
    );
    expect(logLines).toContainEqual({
      level: 'error',
      failed: 'relay',
      queue: 'audit',
      account: acme.accountId,
      event: 60,
      kind: 'lead_created',
      code: 'InternalError',
      senderFault: false,
    });
    // After a successful send, the relay again retries the next failing record for up to 15 minutes.
    sqsProxy.reset();
    expect(await send([aged(61, 0)])).toEqual(allSent);
    sqsProxy.lose = (_, url) => (url === QUEUE_URL_AUDIT ? 'failed' : undefined);
    expect(await send([aged(62, 0)])).toEqual(failed(62));
  });

  test('the relay waits five seconds for an unresponsive queue, while other queues receive their messages', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await receive(QUEUE_URL_NOTIFICATIONS);
    sqsProxy.hangs = (url) => url === QUEUE_URL_AUDIT;
    const sending = send([record(1)]);
    let isOver = false;
    void sending.then(() => {
      isOver = true;
    });
    while (sentTo(QUEUE_URL_AUDIT).length === 0) await new Promise(setImmediate);
    const received: unknown[] = [];
    while (received.length === 0)
      received.push(...(await receive(QUEUE_URL_NOTIFICATIONS)).map(({ id }) => id));
    expect(received).toEqual([1]);
    await vi.advanceTimersByTimeAsync(4_900);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(await sending).toEqual(failed(1));
    expect(logLines).toEqual([
      expect.objectContaining({
        level: 'error',
        failed: 'send',
        queue: 'audit',
        code: 'AbortError',
        messages: 1,
      }),
    ]);
  });

  test('a message that SQS rejects as invalid is logged and immediately becomes a dead letter', async () => {
    sqsProxy.lose = (body, url) => (url === QUEUE_URL_AUDIT && idIn(body) === 2 ? 'wrong' : undefined);
    expect(await send([record(1), record(2), record(3)])).toEqual(allSent);
    expect((await receive(QUEUE_URL_AUDIT)).map(({ id }) => id).sort()).toEqual([1, 3]);
    const [deadLetter, ...others] = await receive(RELAY_DEAD_LETTER_URL);
    expect(others).toEqual([]);
    expect(deadLetter).toEqual({ queue: 'audit', body: expect.any(String) });
    expect(JSON.parse(String(deadLetter?.body))).toMatchObject({ id: 2, kind: 'lead_created' });
    expect(logLines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        failed: 'relay',
        queue: 'audit',
        code: 'InvalidMessageContents',
      }),
    );
  });

  test('the relay retries a message that neither its queue nor the dead-letter queue accepts', async () => {
    sqsProxy.down = true;
    expect(await send([aged(5, minutes(60)), aged(6, minutes(60))])).toEqual(failed(5));
  });

  test('for each failed send, the relay logs one line with queue, error code and number of messages', async () => {
    sqsProxy.lose = (_, url) => (url === QUEUE_URL_AUDIT ? 'failed' : undefined);
    await send(sequences(1, 12).map((sequence) => record(sequence)));
    const first = { account: acme.accountId, kind: 'lead_created' };
    expect(logLines).toEqual([
      {
        level: 'error',
        failed: 'send',
        queue: 'audit',
        code: 'InternalError',
        messages: 10,
        first: { ...first, event: 1 },
      },
      {
        level: 'error',
        failed: 'send',
        queue: 'audit',
        code: 'InternalError',
        messages: 2,
        first: { ...first, event: 11 },
      },
    ]);
  });

  test('an event is sent only if its key matches its account and id', async () => {
    const other = eventKey('acc_other' as AccountId, 7);
    const forged = [
      { pk: { S: other.pk } },
      { sk: { S: other.sk.replace('7', '8') } },
      { accountId: { S: 'acc_other' } },
    ];
    for (const image of forged) {
      expect(await send([record(7, image)])).toEqual(allSent);
      expect(await receive(QUEUE_URL_AUDIT)).toEqual([]);
      expect(await receive(RELAY_DEAD_LETTER_URL)).toHaveLength(1);
    }
  });

  test('a trigger message is sent only to its queue, in the message group of its account', async () => {
    await receive(QUEUE_URL_DELIVERIES);
    const trigger = { account: acme.accountId, workQueue: 'WEBHOOK#0000000000000001' };
    await commit({
      writes: [triggerItemWrite('deliveries', trigger, clock.now())],
      events: [],
      deadline: Date.now() + 60_000,
    });
    const triggers = (await wholeStream()).filter(({ dynamodb }) => dynamodb.NewImage?.type?.S === 'trigger');
    expect(triggers).toHaveLength(1);
    expect(await send(triggers)).toEqual(allSent);
    expect(sqsProxy.batches).toMatchObject([
      { QueueUrl: QUEUE_URL_DELIVERIES, Entries: [{ MessageGroupId: acme.accountId }] },
    ]);
    expect(await receive(QUEUE_URL_DELIVERIES)).toEqual([
      { trigger: { ...trigger, id: expect.any(Number) } },
    ]);
    // An item whose account does not match its key causes no trigger message.
    const [genuine] = triggers;
    const NewImage = { ...genuine?.dynamodb.NewImage, accountId: { S: 'acc_other' } };
    expect(await send([{ ...genuine, dynamodb: { ...genuine?.dynamodb, NewImage } }])).toEqual(allSent);
    expect(await receive(QUEUE_URL_DELIVERIES)).toEqual([]);
  });

  test('a health check is sent to every queue and never becomes a dead letter', async () => {
    const before = await scanTable();
    await runSchedule(healthCheck, clock.now());
    const known = new Set(before.map(({ pk, sk }) => `${pk} ${sk}`));
    const added = (await scanTable()).filter(({ pk, sk }) => !known.has(`${pk} ${sk}`));
    expect(added).toMatchObject([{ kind: 'healthcheck', accountId: 'healthcheck', type: 'event' }]);
    const [{ expiresAtSeconds } = { expiresAtSeconds: 0 }] = added;
    expect(Number(expiresAtSeconds) - clock.now().getTime() / 1000).toBeCloseTo(86_400, -2);
    const records = (await wholeStream()).filter(
      ({ dynamodb }) => dynamodb.NewImage?.kind?.S === 'healthcheck',
    );
    expect(await send(records)).toEqual(allSent);
    const urls = queueNames.map((name) => process.env[queueUrlVariable(name)]);
    expect(new Set(sqsProxy.batches.map(({ QueueUrl }) => QueueUrl))).toEqual(new Set(urls));
    sqsProxy.lose = (_, url) => (url === QUEUE_URL_CLEANUP ? 'wrong' : undefined);
    expect(await send(records)).toEqual(allSent);
    expect(await receive(RELAY_DEAD_LETTER_URL)).toEqual([]);
  });
});
