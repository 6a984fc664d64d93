import { rmSync } from 'node:fs';
import type { Database } from 'node-sqlite3-wasm';
import type { Checkpoint } from './checkpoint.ts';

/** The columns of the native engine's stream records that the statements below rely on. */
const knownColumns = ['table_name', 'sequence_number', 'shard_id', 'created_at'];
/** The engine's own number for its schema, in version 1.2. */
const knownSchema = '9';

/**
 * For each record of a stream the engine looks for the highest sequence number, by exactly this expression, and
 * without an index reads the whole stream for it: 44 transactions a second instead of 440 after 21,000 records.
 */
const createIndex = `CREATE INDEX IF NOT EXISTS merchant_ops_sequence
  ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`;

/**
 * The last record of a stream stays however old it is: the engine numbers the next one after it, and numbers that
 * began anew would lie before the checkpoint.
 */
const forgetRecords = `DELETE FROM _stream_records
  WHERE table_name = ?1 AND shard_id = ?2 AND CAST(sequence_number AS INTEGER) <= CAST(?3 AS INTEGER)
  AND created_at < ?4
  AND CAST(sequence_number AS INTEGER) <
    (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?1)`;

/** What a prepared file depends on, beside the engine that made it. */
export const statements = createIndex;

/** As long as DynamoDB keeps a stream's records. */
const dayInSeconds = 24 * 3600;

/**
 * Gives the native engine's data file the index that keeps its writes fast, and takes out the stream's records
 * that are both older than a day and done according to the checkpoint. Returns undefined, or why the file was left
 * as it is. Nothing else may have the file open. Throws where it is no whole SQLite file.
 */
export async function optimizeDataFile(
  dbPath: string,
  checkpoint: Checkpoint | undefined,
): Promise<string | undefined> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  // The library's lock is a folder, which a crash leaves behind; who may open the file is settled before.
  rmSync(`${dbPath}.lock`, { recursive: true, force: true });
  const db = new sqlite.Database(dbPath, { fileMustExist: true });
  try {
    // The file has a write-ahead log, for which the library can share no memory, and needs none if it is alone.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const schema = schemaOf(db);
    if (schema !== undefined) return schema;
    db.exec(createIndex);
    if (checkpoint) forgetDone(db, checkpoint);
    return undefined;
  } finally {
    db.close();
  }
}

/** What the schema of a file is where it is not the known one. */
function schemaOf(db: Database): string | undefined {
  const columns = db.all("SELECT name FROM pragma_table_info('_stream_records')").map(({ name }) => name);
  const missing = knownColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) return `its stream records have no ${missing.join(', ')}`;
  const version = db.get("SELECT value FROM _config WHERE key = 'schema_version'")?.value;
  return version === knownSchema ? undefined : `its schema is ${version}, and only ${knownSchema} is known`;
}

function forgetDone(db: Database, { streamArn, positions }: Checkpoint): void {
  const [, table = '', label = ''] = /:table\/([^/]+)\/stream\/(.+)$/.exec(streamArn) ?? [];
  const known = db.get('SELECT 1 FROM _tables WHERE table_name = ? AND stream_label = ?', [table, label]);
  if (known === null) return;
  const dayAgo = Math.floor(Date.now() / 1000) - dayInSeconds;
  for (const [shard, position] of Object.entries(positions))
    db.run(forgetRecords, [table, shard, position, dayAgo]);
}
