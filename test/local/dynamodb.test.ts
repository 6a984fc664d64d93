import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { createTable, streamArnOf } from '../../infra/local/create-table.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { type TableStream, tableStream } from '../../infra/local/table-stream.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const isServing = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

test('the engine ends when its parent process is killed', async () => {
  const script = `
    const { startDynamoDb } = await import(${JSON.stringify(join(root, 'infra/local/dynamodb.ts'))});
    console.log((await startDynamoDb()).endpoint);
    setInterval(() => {}, 1000);
  `;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const endpoint = await new Promise<string>((resolve) => {
    parent.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
  });
  expect(await isServing(endpoint)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isServing(endpoint)).toBe(false);
});

test('stop ends the engine and leaves one complete data file', async () => {
  const dbPath = join(temporaryFolder(), 'table.db');
  const engine = await startDynamoDb({ dbPath });
  const client = new DynamoDBClient({ endpoint: engine.endpoint });
  await createTable(client, 'kept');
  client.destroy();
  await engine.stop();
  expect(await isServing(engine.endpoint)).toBe(false);
  expect([existsSync(dbPath), existsSync(`${dbPath}-wal`)]).toEqual([true, false]);
});

test('creating an existing table changes nothing, and a table with another schema is rejected', async () => {
  const client = new DynamoDBClient({});
  const name = `shape-${process.pid}`;
  await createTable(client, name);
  await createTable(client, name);
  await expect(createTable(client, name, { stream: false })).rejects.toThrow(`"${name}" has another schema`);
});

const dynamoDb = new DynamoDBClient({});

async function streamOf(tableName: string): Promise<TableStream> {
  await createTable(dynamoDb, tableName);
  return tableStream(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', await streamArnOf(dynamoDb, tableName));
}

async function recordsOf(stream: TableStream, after?: string) {
  const pages = (await stream.shards()).map(async ({ id }) =>
    stream.records(await stream.iterator(id, after), 1000),
  );
  return (await Promise.all(pages)).flatMap(({ records }) => records);
}

test('a record has Lambda’s format: time in seconds, bytes in base64, a type for every value', async () => {
  const stream = await streamOf(`record-${Date.now()}`);
  const TableName = stream.arn.split('/')[1];
  const Key = { pk: { S: 'a' }, sk: { S: 'b' } };
  const values = {
    number: { N: '1.5' },
    no: { BOOL: false },
    nothing: { NULL: true },
    texts: { SS: ['q'] },
    numbers: { NS: ['2'] },
    emptyText: { S: '' },
    emptyMap: { M: {} },
    emptyList: { L: [] },
    nested: { M: { list: { L: [{ M: {} }, { L: [] }] } } },
  };
  const bytes = { bytes: { B: Buffer.from('hé') }, manyBytes: { BS: [Buffer.from('x')] } };
  await dynamoDb.send(new PutItemCommand({ TableName, Item: { ...Key, ...values, ...bytes } }));
  await dynamoDb.send(new DeleteItemCommand({ TableName, Key }));

  const [inserted, removed] = await recordsOf(stream);
  expect(inserted).toMatchObject({ eventName: 'INSERT', dynamodb: { Keys: Key } });
  expect(inserted?.dynamodb.NewImage).toEqual({
    ...Key,
    ...values,
    bytes: { B: 'aMOp' },
    manyBytes: { BS: ['eA=='] },
  });
  expect(Math.abs(Number(inserted?.dynamodb.ApproximateCreationDateTime) - Date.now() / 1000)).toBeLessThan(
    120,
  );
  expect(removed).toMatchObject({ eventName: 'REMOVE', dynamodb: { Keys: Key } });
  expect(removed?.dynamodb).not.toHaveProperty('NewImage');
});

test('reading can continue after the sequence number of a record', async () => {
  const stream = await streamOf(`reading-${Date.now()}`);
  const TableName = stream.arn.split('/')[1];
  for (const name of ['a', 'b', 'c'])
    await dynamoDb.send(new PutItemCommand({ TableName, Item: { pk: { S: name }, sk: { S: name } } }));
  const [first] = await recordsOf(stream);
  const rest = await recordsOf(stream, first?.dynamodb.SequenceNumber);
  expect(rest.map(({ dynamodb }) => dynamodb.Keys?.pk?.S)).toEqual(['b', 'c']);
});

/** Returns a stream whose server sends given responses, for cases that occur only in AWS. */
async function streamThatReturns(
  respond: (operation: string, input: { ShardIteratorType?: string }) => { status?: number; body: object },
): Promise<TableStream> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const { status = 200, body } = respond(operation, JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return tableStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'arn:aws:dynamodb:stream');
}

const trimmed = 'com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException';

test('reading starts at the oldest record if the stream no longer contains the record at the position', async () => {
  const stream = await streamThatReturns((_, { ShardIteratorType }) =>
    ShardIteratorType === 'TRIM_HORIZON'
      ? { body: { ShardIterator: 'oldest' } }
      : { status: 400, body: { __type: trimmed, message: 'The record is gone' } },
  );
  expect(await stream.iterator('shard', '17')).toBe('oldest');
});

test('the client does not retry an error of the stream, because the poller retries it', async () => {
  let calls = 0;
  const stream = await streamThatReturns(() => {
    calls += 1;
    return { status: 500, body: { __type: 'InternalServerError', message: 'Not now' } };
  });
  await expect(stream.iterator('shard', '17')).rejects.toThrow('Not now');
  expect(calls).toBe(1);
});

test('a closed shard and the list of shards are read to the end', async () => {
  const stream = await streamThatReturns((operation, input) => {
    if (operation === 'GetRecords') return { body: { Records: [], NextShardIterator: null } };
    if ('ExclusiveStartShardId' in input)
      return { body: { StreamDescription: { Shards: [{ ShardId: 'two', ParentShardId: 'one' }] } } };
    const Shards = [{ ShardId: 'one' }];
    return { body: { StreamDescription: { Shards, LastEvaluatedShardId: 'one' } } };
  });
  expect((await stream.records('iterator', 10)).next).toBeUndefined();
  expect(await stream.shards()).toEqual([{ id: 'one' }, { id: 'two', parentId: 'one' }]);
});
