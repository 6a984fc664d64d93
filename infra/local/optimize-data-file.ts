import { rmSync } from 'node:fs';
import type { Database } from 'node-sqlite3-wasm';
import { relayedTypes } from '../../events/queue-messages.ts';
import type { Checkpoint } from './checkpoint.ts';

/** The columns of the native engine's table `_stream_records` that the statements below use. */
const requiredColumns = ['table_name', 'event_name', 'new_image', 'sequence_number', 'shard_id'];
/** The schema version of engine 1.2. */
const supportedSchema = '9';

/**
 * For each new stream record, the engine selects the highest value of the expression below. Without an index, the
 * engine reads the whole stream. After 21,000 records, it completes only 44 transactions per second instead of 440.
 */
const createIndex = `CREATE INDEX IF NOT EXISTS merchant_ops_sequence
  ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`;

/**
 * Deletes processed records, because nothing reads them again. Keeps the last record of a stream, because the engine
 * computes the next sequence number from it. Without this record, the numbers would start again at 1, and the local service
 * would skip new records until it reached the number in the checkpoint.
 */
const deleteRecords = `DELETE FROM _stream_records
  WHERE table_name = ?1 AND shard_id = ?2 AND CAST(sequence_number AS INTEGER) <= CAST(?3 AS INTEGER)
  AND CAST(sequence_number AS INTEGER) <
    (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?1)`;

/**
 * Adds only those records to the stream that the relay accepts (`isRelayed`). Nothing reads the other ones, and they would
 * be half of the data file.
 */
const createTrigger = `CREATE TRIGGER IF NOT EXISTS merchant_ops_relayed BEFORE INSERT ON _stream_records
  WHEN NEW.event_name <> 'INSERT'
    OR COALESCE(json_extract(NEW.new_image, '$.type.S'), '') NOT IN (${relayedTypes.map((type) => `'${type}'`).join()})
  BEGIN SELECT RAISE(IGNORE); END`;

/** The statements for a data file, by the records in its stream. */
export const statements = { all: createIndex, relayed: `${createIndex};${createTrigger}` };
export type StreamContent = keyof typeof statements;

/**
 * Executes the `statements` on the native engine's data file. Deletes the processed stream records, up to the checkpoint.
 * Returns undefined, or the reason why the file was not changed. No other process may have the file open. Throws if the file
 * is not a valid SQLite file.
 */
export async function optimizeDataFile(
  dbPath: string,
  stream: StreamContent,
  checkpoint?: Checkpoint,
): Promise<string | undefined> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  // Removes a lock folder that remained after a crash. The caller ensures that no other process uses the file.
  rmSync(`${dbPath}.lock`, { recursive: true, force: true });
  const db = new sqlite.Database(dbPath, { fileMustExist: true });
  try {
    // Without exclusive mode, the write-ahead log needs shared memory, which the library does not support.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const difference = schemaDifference(db);
    if (difference !== undefined) return difference;
    db.exec(statements[stream]);
    if (checkpoint) deleteDone(db, checkpoint);
    return undefined;
  } finally {
    db.close();
  }
}

function schemaDifference(db: Database): string | undefined {
  const columns = db.all("SELECT name FROM pragma_table_info('_stream_records')").map(({ name }) => name);
  const missing = requiredColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) return `its stream records have no ${missing.join(', ')}`;
  const version = db.get("SELECT value FROM _config WHERE key = 'schema_version'")?.value;
  return version === supportedSchema ? undefined : `its schema version is ${version}, not ${supportedSchema}`;
}

function deleteDone(db: Database, { streamArn, positions }: Checkpoint): void {
  const [, table = '', label = ''] = /:table\/([^/]+)\/stream\/(.+)$/.exec(streamArn) ?? [];
  const known = db.get('SELECT 1 FROM _tables WHERE table_name = ? AND stream_label = ?', [table, label]);
  if (known === null) return;
  for (const [shard, position] of Object.entries(positions)) db.run(deleteRecords, [table, shard, position]);
}
