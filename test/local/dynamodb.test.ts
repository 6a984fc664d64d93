import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { CannotStart } from '../../infra/local/cannot-start.ts';
import { createTable, streamArnOf } from '../../infra/local/create-table.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import { originalTable } from './original-table.ts';
import { temporaryFolder } from './runner-process.ts';

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

test('stop ends the engine and leaves one complete file', async () => {
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

test('with addIndexes a table gets its missing indexes with its existing items, and keeps its stream', async () => {
  const client = new DynamoDBClient({});
  const name = `lacking-${process.pid}-${Date.now().toString(36)}`;
  onTestFinished(async () => {
    await client.send(new DeleteTableCommand({ TableName: name }));
    client.destroy();
  });
  await client.send(new CreateTableCommand(originalTable(name)));
  const keys = {
    statePk: { S: 'in a state' },
    stateSk: { S: '1' },
    duePk: { S: 'shard' },
    dueSk: { S: '2' },
  };
  const Item = { pk: { S: 'a' }, sk: { S: 'b' }, ...keys, more: { S: 'c' } };
  await client.send(new PutItemCommand({ TableName: name, Item }));
  await expect(createTable(client, name)).rejects.toThrow(`"${name}" has another schema`);
  const streamArn = await streamArnOf(client, name);

  await createTable(client, name, { addIndexes: true });
  await createTable(client, name);
  expect(await streamArnOf(client, name)).toBe(streamArn);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()).toEqual(
    tableDefinition.indexes.map((index) => index.name).sort(),
  );
  const found = async (IndexName: string, partition: string) => {
    const { Items } = await client.send(
      new QueryCommand({
        TableName: name,
        IndexName,
        KeyConditionExpression: `${IndexName}Pk = :pk`,
        ExpressionAttributeValues: { ':pk': { S: partition } },
      }),
    );
    return Items;
  };
  expect(await found('state', 'in a state')).toEqual([Item]);
  const { duePk, dueSk, pk, sk } = Item;
  expect(await found('due', 'shard')).toEqual([{ duePk, dueSk, pk, sk }]);
  expect(await found('holder', 'nobody')).toEqual([]);
});

test('a table that lacks indexes and also differs otherwise is rejected and stays unchanged', async () => {
  const client = new DynamoDBClient({});
  const name = `differing-${process.pid}-${Date.now().toString(36)}`;
  onTestFinished(async () => {
    await client.send(new DeleteTableCommand({ TableName: name }));
    client.destroy();
  });
  const { StreamSpecification: _, ...withoutStream } = originalTable(name);
  await client.send(new CreateTableCommand(withoutStream));
  await expect(createTable(client, name, { addIndexes: true })).rejects.toThrow(CannotStart);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  expect(Table?.GlobalSecondaryIndexes).toHaveLength(1);
});
