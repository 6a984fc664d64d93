import { deliver } from './deliver-records.ts';
import { isRelayed, relayTask, tasksOf } from './event-records.ts';
import type { Invoke } from './lambda.ts';
import { abortableSleep, repeatUntil } from './polling.ts';
import { type Progress, progressFrom } from './progress.ts';
import type { StreamRecord, TableStream } from './table-stream.ts';

/** The settings for reading shards. Times are in milliseconds. */
export interface ShardOptions {
  stream: TableStream;
  relay: Invoke;
  /** Sends an undelivered record older than `maxAge` to the relay's dead-letter queue. */
  abandon: (record: StreamRecord) => Promise<void>;
  /**
   * The wait after a read that returned less than a page. During the wait, records for the next batch can
   * arrive. Default 100.
   */
  idleDelay?: number;
  /** The wait before the first retry. Each further retry doubles the wait. Default 200. */
  firstBackoff?: number;
  /** The age at which a record is abandoned. Default 20 h. A stream keeps a record for 24 h. */
  maxAge?: number;
}

export interface ShardFollower {
  progress: Progress;
  /** The number of reads that returned no record. */
  emptyReads(): number;
  /** Reports whether the shard is closed and completely read. Until then, its child shards must not be read. */
  atEnd(): boolean;
  /** Resolves at the end of the shard or when the signal aborts. */
  work: Promise<void>;
}

/** Records per invocation of the relay, as in infra/constructs/relay.ts. */
const batchSize = 100;
/**
 * The number of records per read. A page is larger than a batch, because the relay receives only events, and
 * most records are not events.
 */
const pageSize = 1000;

/** Reads a shard after the position `start`, and passes its new events to the relay in order. */
export function followShard(
  shardId: string,
  start: string | undefined,
  signal: AbortSignal,
  { stream, relay, abandon, idleDelay = 100, firstBackoff = 200, maxAge = 20 * 3_600_000 }: ShardOptions,
): ShardFollower {
  const progress = progressFrom(start);
  let position = start;
  let iterator: string | undefined;
  let emptyReads = 0;
  let atEnd = false;

  const delivery = {
    invoke: relay,
    delivered: (record: StreamRecord) => progress.done(relayTask(record)),
    abandon: (record: StreamRecord) =>
      repeatUntil(signal, 'Sending an event to the dead letters of the relay', async () => {
        await abandon(record);
        return 'finished';
      }),
    maxAge,
    firstBackoff,
    signal,
  };
  const work = repeatUntil(signal, `Reading the shard ${shardId}`, async () => {
    const from = iterator ?? (await stream.iterator(shardId, position));
    // After an error, the next attempt requests a new iterator, because the current iterator may have expired.
    iterator = undefined;
    const { records, next } = await stream.records(from, pageSize);
    if (records.length === 0) emptyReads += 1;
    for (const record of records) {
      const { SequenceNumber, ApproximateCreationDateTime } = record.dynamodb;
      progress.read(SequenceNumber, tasksOf(record), ApproximateCreationDateTime);
    }
    const events = records.filter(isRelayed);
    for (let at = 0; at < events.length && !signal.aborted; at += batchSize)
      await deliver(events.slice(at, at + batchSize), delivery);
    position = records.at(-1)?.dynamodb.SequenceNumber ?? position;
    iterator = next;
    if (next === undefined) {
      atEnd = !signal.aborted;
      return 'finished';
    }
    if (records.length < pageSize) await abortableSleep(signal, idleDelay);
    return undefined;
  });
  return { progress, emptyReads: () => emptyReads, atEnd: () => atEnd, work };
}
