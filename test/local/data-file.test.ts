import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type AttributeValue, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listenOn } from '../../infra/administration/free-port.ts';
import { root } from '../../infra/build/endpoints.ts';
import type { Checkpoint } from '../../infra/local/checkpoint.ts';
import { createTable, streamArnOf } from '../../infra/local/create-table.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { nativeEngine } from '../../infra/local/native-engine.ts';
import { optimizeDataFile } from '../../infra/local/optimize-data-file.ts';
import { type DynamoDb, runEngine } from '../../infra/local/run-engine.ts';
import { tableStream } from '../../infra/local/table-stream.ts';
import { childOf, processes } from '../harness/child-of.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const tableName = 'merchant-ops-local';
const native = nativeEngine();

afterEach(() => void vi.restoreAllMocks());

/** Starts the native engine without first adding the index of the sequence numbers to the data file. */
function runUnprepared(dbPath: string): Promise<DynamoDb> {
  if (!native) throw new Error('There is no native engine');
  return runEngine(native.on(dbPath));
}

async function tableIn({ endpoint }: DynamoDb) {
  const client = new DynamoDBClient({ endpoint });
  onTestFinished(() => client.destroy());
  await createTable(client, tableName);
  const streamArn = await streamArnOf(client, tableName);
  const stream = tableStream(endpoint, streamArn);
  const [shard] = await stream.shards();
  const write = (attributes: Record<string, AttributeValue>) =>
    client.send(new PutItemCommand({ TableName: tableName, Item: { sk: { S: 'x' }, ...attributes } }));
  return {
    streamArn,
    shardId: shard?.id ?? '',
    /** Writes events, because the stream contains no other records. */
    async put(...numbers: number[]) {
      for (const number of numbers) await write({ pk: { S: `item ${number}` }, type: { S: 'event' } });
    },
    write,
    items: async () => (await client.send(new ScanCommand({ TableName: tableName }))).Count,
    async recordsAfter(position?: string) {
      const { records } = await stream.records(await stream.iterator(shard?.id ?? '', position), 1000);
      return records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
    },
  };
}

/** Opens a data file that no engine is using. */
function inside<T>(dbPath: string, run: (db: Database) => T): T {
  const db = new sqlite.Database(dbPath, { fileMustExist: true });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    return run(db);
  } finally {
    db.close();
  }
}

/** Returns the id of the engine process that has this data file on its command line. */
function engineWith(dbPath: string): number {
  const engines = processes().filter(({ name }) => name.endsWith('dynoxide'));
  const engine = engines.find(({ id }) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(dbPath));
  if (!engine) throw new Error(`No engine has ${dbPath} open`);
  return engine.id;
}

/** Returns SQLite's plan for the query with which the engine finds the next sequence number. */
const planOfNumbering = (db: Database): unknown =>
  db.get(`EXPLAIN QUERY PLAN SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1
    FROM _stream_records WHERE table_name = '${tableName}'`)?.detail;
const byIndex = expect.stringMatching(/^SEARCH _stream_records USING .*INDEX merchant_ops_sequence/);

describe.skipIf(!native)('the data file of the native engine', () => {
  test('the data file of the native engine is created with an index of the sequence numbers', async () => {
    const dbPath = join(temporaryFolder(), 'table.db');
    await (await startDynamoDb({ dbPath })).stop();
    expect(inside(dbPath, planOfNumbering)).toEqual(byIndex);
  });

  test('if no path is given, the native engine gets a data file with the index, which is deleted as soon as it is open', async () => {
    const engine = await startDynamoDb();
    onTestFinished(engine.stop);
    const files = `/proc/${childOf(process.pid, 'dynoxide')}/fd`;
    const open = readdirSync(files).find((file) =>
      /table\.db \(deleted\)$/.test(readlinkSync(join(files, file))),
    );
    const copy = join(temporaryFolder(), 'copy.db');
    copyFileSync(join(files, open ?? ''), copy);
    expect(inside(copy, planOfNumbering)).toEqual(byIndex);
  });

  test('the data file of the native engine gets a missing index at the next start, and keeps every item', async () => {
    const dbPath = join(temporaryFolder(), 'table.db');
    const bare = await runUnprepared(dbPath);
    await (await tableIn(bare)).put(1, 2, 3);
    await bare.stop();
    expect(inside(dbPath, planOfNumbering)).not.toEqual(byIndex);

    const engine = await startDynamoDb({ dbPath });
    const table = await tableIn(engine);
    await table.put(4);
    expect([await table.items(), await table.recordsAfter()]).toEqual([4, [1, 2, 3, 4]]);
    await engine.stop();
    expect(inside(dbPath, planOfNumbering)).toEqual(byIndex);
  });

  test('the data file of the native engine keeps every item after a SIGKILL, and gets a missing index at the next start', async () => {
    const dbPath = join(temporaryFolder(), 'table.db');
    const bare = await runUnprepared(dbPath);
    await (await tableIn(bare)).put(1, 2, 3);
    process.kill(engineWith(dbPath), 'SIGKILL');
    await bare.exited;
    expect(existsSync(`${dbPath}-wal`)).toBe(true);

    const engine = await startDynamoDb({ dbPath });
    expect(await (await tableIn(engine)).items()).toBe(3);
    await engine.stop();
    expect(inside(dbPath, planOfNumbering)).toEqual(byIndex);
  });

  test('the data file of the native engine gets no index while another engine has the file open, and a warning is logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const dbPath = join(temporaryFolder(), 'table.db');
    const first = await runUnprepared(dbPath);
    const table = await tableIn(first);
    await table.put(1);
    const second = await startDynamoDb({ dbPath });
    await table.put(2);
    expect(await (await tableIn(second)).items()).toBe(2);
    await second.stop();
    await first.stop();
    expect(logged.mock.calls).toEqual([[expect.stringContaining('another engine has it open')]]);
    expect(inside(dbPath, planOfNumbering)).not.toEqual(byIndex);
  });

  test('the data file of the native engine is used without the index if its schema is unknown, and a warning is logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const dbPath = join(temporaryFolder(), 'table.db');
    const bare = await runUnprepared(dbPath);
    await (await tableIn(bare)).put(1);
    await bare.stop();
    inside(dbPath, (db) => db.exec("UPDATE _config SET value = '10' WHERE key = 'schema_version'"));

    const engine = await startDynamoDb({ dbPath });
    const table = await tableIn(engine);
    await table.put(2);
    expect(await table.items()).toBe(2);
    await engine.stop();
    const warning = `The data file ${dbPath} cannot be optimized, so writes become slower as it grows: its schema version is 10, not 9.`;
    expect(logged.mock.calls).toEqual([[warning]]);
    expect(inside(dbPath, planOfNumbering)).not.toEqual(byIndex);
  });

  test('the stream in a data file contains only the records that the relay accepts', async () => {
    const engine = await startDynamoDb({ dbPath: join(temporaryFolder(), 'table.db') });
    onTestFinished(engine.stop);
    const { write, recordsAfter } = await tableIn(engine);
    const [event, trigger] = [{ type: { S: 'event' } }, { type: { S: 'trigger' } }];
    await write({ pk: { S: 'lead' }, type: { S: 'lead' }, nested: { M: event } });
    await write({ pk: { S: 'without type' } });
    await write({ pk: { S: 'event' }, ...event });
    await write({ pk: { S: 'event' }, ...event, changed: { BOOL: true } });
    await write({ pk: { S: 'trigger' }, ...trigger });
    expect(await recordsAfter()).toEqual([1, 2]);
    expect(await recordsAfter('1')).toEqual([2]);
  });

  test('the data file of the native engine is not optimized if its table of stream records lacks columns', async () => {
    const dbPath = join(temporaryFolder(), 'table.db');
    new sqlite.Database(dbPath).close();
    inside(dbPath, (db) => db.exec('CREATE TABLE _stream_records (table_name TEXT, shard_id TEXT)'));
    expect(await optimizeDataFile(dbPath, 'relayed')).toBe(
      'its stream records have no event_name, new_image, sequence_number',
    );
  });

  test('the data file of the native engine can be opened after a crash during its preparation', async () => {
    const dbPath = join(temporaryFolder(), 'table.db');
    await (await startDynamoDb({ dbPath })).stop();
    const script = `const { Database } = require('node-sqlite3-wasm');
      const db = new Database(${JSON.stringify(dbPath)});
      db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; DROP INDEX merchant_ops_sequence');
      process.kill(process.pid, 'SIGKILL');`;
    spawnSync(process.execPath, ['-e', script], { cwd: root });
    expect(existsSync(`${dbPath}.lock`)).toBe(true);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    await (await startDynamoDb({ dbPath })).stop();
    expect(logged.mock.calls).toEqual([]);
    expect(inside(dbPath, planOfNumbering)).toEqual(byIndex);
  });
});

test.skipIf(!native)('the native engine tries another port if its first one is taken', async () => {
  if (!native) throw new Error('There is no native engine');
  const other = createServer();
  const taken = await listenOn(other, 0, '0.0.0.0');
  onTestFinished(() => void other.close());
  const engine = native.on(join(temporaryFolder(), 'table.db'));
  const ports: number[] = [];
  const started = await runEngine({
    ...engine,
    args: (port) => {
      ports.push(port);
      return engine.args(ports.length === 1 ? taken : port);
    },
  });
  onTestFinished(started.stop);
  expect(ports).toHaveLength(2);
  expect(new URL(started.endpoint).port).toBe(String(ports[1]));
});

describe.skipIf(!native)('a start', () => {
  /** A data file with the stream records 1 to 6. */
  async function sixRecords() {
    const dbPath = join(temporaryFolder(), 'table.db');
    const engine = await startDynamoDb({ dbPath });
    const { put, streamArn, shardId } = await tableIn(engine);
    await put(1, 2, 3, 4, 5, 6);
    await engine.stop();
    const restart = async (position: string | undefined, arn = streamArn) => {
      const positions = position === undefined ? {} : { [shardId]: position };
      const again = await startDynamoDb({ dbPath, checkpoint: { streamArn: arn, positions, finished: [] } });
      onTestFinished(again.stop);
      return { ...again, table: await tableIn(again) };
    };
    return { streamArn, restart };
  }

  test('a start continues the sequence numbers even if all stream records are processed', async () => {
    const { restart } = await sixRecords();
    const { table } = await restart('6');
    expect(await table.recordsAfter()).toEqual([6]);
    await table.put(7);
    expect(await table.recordsAfter('6')).toEqual([7]);
  });

  test('a start deletes no stream records if the checkpoint is missing or belongs to another stream', async () => {
    const { restart, streamArn } = await sixRecords();
    const unread = await restart(undefined);
    expect(await unread.table.recordsAfter()).toEqual([1, 2, 3, 4, 5, 6]);
    await unread.stop();
    const other = await restart('6', `${streamArn}1`);
    expect(await other.table.recordsAfter()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('a start deletes all processed stream records except the last record of the stream', async () => {
    const folder = temporaryFolder();
    const empty = join(folder, 'empty.db');
    await (await startDynamoDb({ dbPath: empty })).stop();
    inside(empty, (db) =>
      db.run(`INSERT INTO _tables (table_name, key_schema, attribute_definitions, stream_label, created_at)
        VALUES ('t', '', '', '1.5', 0)`),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 25 }), fc.nat({ max: 30 }), async (last, position) => {
        const dbPath = join(folder, 'table.db');
        copyFileSync(empty, dbPath);
        const numbers = Array.from({ length: last }, (_, index) => index + 1);
        inside(dbPath, (db) => {
          for (const number of numbers)
            db.run(
              `INSERT INTO _stream_records (table_name, event_name, keys_json, new_image, sequence_number, shard_id, created_at)
                VALUES ('t', 'INSERT', '{}', '{"type":{"S":"event"}}', ?, 's', 0)`,
              [String(number)],
            );
        });
        const checkpoint: Checkpoint = {
          streamArn: 'arn:aws:dynamodb:dynoxide:000000000000:table/t/stream/1.5',
          positions: { s: String(position) },
          finished: [],
        };
        expect(await optimizeDataFile(dbPath, 'relayed', checkpoint)).toBeUndefined();
        const kept = inside(dbPath, (db) =>
          db.all('SELECT sequence_number AS n FROM _stream_records ORDER BY id'),
        );
        const expected = numbers.filter((number) => number > position || number === last);
        expect(kept.map(({ n }) => Number(n))).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
