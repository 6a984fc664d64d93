import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { temporaryFolder } from './runner-process.ts';

const responses = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

test('the engine dies with a parent that is killed', async () => {
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
  expect(await responses(endpoint)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => responses(endpoint)).toBe(false);
});

test('stop ends the engine and leaves one whole file', async () => {
  const dbPath = join(temporaryFolder(), 'table.db');
  const engine = await startDynamoDb({ dbPath });
  const client = new DynamoDBClient({ endpoint: engine.endpoint });
  await createTable(client, 'kept');
  client.destroy();
  await engine.stop();
  expect(await responses(engine.endpoint)).toBe(false);
  expect([existsSync(dbPath), existsSync(`${dbPath}-wal`)]).toEqual([true, false]);
});

test('creating the table again changes nothing, and a table of another shape is named', async () => {
  const client = new DynamoDBClient({});
  const name = `shape-${process.pid}`;
  await createTable(client, name);
  await createTable(client, name);
  await expect(createTable(client, name, { stream: false })).rejects.toThrow(`"${name}" has another shape`);
});
