import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { streamArnOf } from '../../infra/local/create-table.ts';
import { isRelayed } from '../../infra/local/event-records.ts';
import { startQueues } from '../../infra/local/queues.ts';
import { type StreamRecord, tableStream } from '../../infra/local/table-stream.ts';
import { type QueueName, queueUrlVariable } from '../../shared/events/queues.ts';
import {
  bundleOf,
  callOnce,
  createBenchTable,
  type Environment,
  type FunctionProcess,
  requestTo,
  startFunction,
} from './function-programs.ts';
import { median, milliseconds, type Row } from './rows.ts';

const part = 'events';
/** The largest batch of SQS. The relay gets batches of this size too, so that all results are comparable. */
const batchSize = 10;
/** The queues that receive the event of a new lead directly. */
const consumers: readonly QueueName[] = ['audit', 'search', 'notifications', 'webhooks'];

/**
 * Measures the CPU time per event of the relay and of each consumer, for events of new leads. The relay gets
 * the records of the table's stream, and sends the messages that the consumers receive. The first half of the
 * batches warms up the function and is not counted.
 */
export async function measureEvents(count: number): Promise<Row[]> {
  const { env: tableEnv, headers, remove } = await createBenchTable('bench-events', { stream: true });
  const queues = await startQueues();
  const env = {
    ...tableEnv,
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    RELAY_DEAD_LETTER_URL: queues.relayDeadLetterUrl,
    ...Object.fromEntries(queues.queues.map(({ name, url }) => [queueUrlVariable(name), url])),
  };
  const sqs = new SQSClient({ endpoint: queues.endpoint });
  const started: FunctionProcess[] = [];
  const start = (name: string) => {
    const loaded = startFunction(bundleOf(name), env);
    started.push(loaded);
    return loaded;
  };
  try {
    const create = (n: number) =>
      requestTo('POST /leads', {
        headers,
        query: 'skipTeamAndSourceRequirement=true',
        body: { firstName: 'Ada', lastName: `Byron ${n}`, email: 'ada@example.com' },
      });
    await callOnce(
      'leads-create-lead',
      env,
      Array.from({ length: count }, (_, n) => create(n)),
    );
    const records = (await readStream(tableEnv)).slice(-count);
    const rows = [await timesOf('relay', start('events-relay'), batchesOf(records))];
    for (const queue of consumers) {
      const url = queues.queues.find(({ name }) => name === queue)?.url ?? '';
      rows.push(await timesOf(`consumer ${queue}`, start(`events-${queue}`), await receiveAll(sqs, url)));
    }
    return rows;
  } finally {
    for (const loaded of started) await loaded.stop();
    sqs.destroy();
    await queues.stop();
    remove();
  }
}

async function timesOf(name: string, loaded: FunctionProcess, batches: object[][]): Promise<Row> {
  const times: number[] = [];
  for (const [n, Records] of batches.entries()) {
    const { calls, responses } = await loaded.run([{ Records }]);
    const [response] = responses as ({ batchItemFailures: object[] } | undefined)[];
    if (response?.batchItemFailures.length !== 0)
      throw new Error(`The ${name} could not handle every event.`);
    if (n >= batches.length / 2 && Records.length === batchSize) times.push(calls / Records.length);
  }
  if (times.length === 0) throw new Error(`The ${name} received no complete batch.`);
  return { part, measure: `CPU per event of the ${name}`, result: milliseconds(median(times)) };
}

const batchesOf = <R>(records: readonly R[]): R[][] =>
  Array.from({ length: Math.ceil(records.length / batchSize) }, (_, n) =>
    records.slice(n * batchSize, (n + 1) * batchSize),
  );

/** Returns the stream's records of events, oldest first. */
async function readStream(env: Environment): Promise<StreamRecord[]> {
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', TABLE_NAME: tableName = '' } = env;
  const client = new DynamoDBClient({ endpoint });
  const stream = tableStream(endpoint, await streamArnOf(client, tableName));
  client.destroy();
  const found: StreamRecord[] = [];
  for (const { id } of await stream.shards()) {
    let next: string | undefined = await stream.iterator(id, undefined);
    while (next) {
      const page: { records: StreamRecord[]; next?: string } = await stream.records(next, 1000);
      found.push(...page.records.filter(isRelayed));
      next = page.records.length === 0 ? undefined : page.next;
    }
  }
  return found;
}

/** Receives and deletes all messages of a queue, and returns them in batches. */
async function receiveAll(sqs: SQSClient, QueueUrl: string): Promise<object[][]> {
  const found: object[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: batchSize });
    const { Messages = [] } = await sqs.send(command);
    if (Messages.length === 0) return batchesOf(found);
    found.push(
      ...Messages.map(({ MessageId: messageId, Body: body }) => ({
        messageId,
        body,
        attributes: { ApproximateReceiveCount: '1' },
      })),
    );
    const Entries = Messages.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}
