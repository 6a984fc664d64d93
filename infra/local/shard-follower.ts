import { deliver } from './deliver-records.ts';
import { isRelayed, relayTask, tasksOf } from './event-records.ts';
import type { Invoke } from './lambda.ts';
import { abortableSleep, repeatUntil } from './polling.ts';
import { type Progress, progressFrom } from './progress.ts';
import type { StreamRecord, TableStream } from './table-stream.ts';

/** How a shard is followed; times in milliseconds. */
export interface Following {
  stream: TableStream;
  relay: Invoke;
  /** Takes a record that the relay failed on until it was too old: it goes to the relay's dead-letter queue. */
  abandon: (record: StreamRecord) => Promise<void>;
  /** Between two looks at a shard with nothing new. */
  idleDelay?: number;
  /** Before the first retry; each further one waits twice as long. */
  firstBackoff?: number;
  /** After which a record is given up: 20 h, well inside the 24 h that a stream keeps it. */
  oldest?: number;
}

export interface ShardFollower {
  progress: Progress;
  /** How many reads have found nothing new. */
  quietReads(): number;
  /** The shard is closed and everything in it handed over, so that its children may be read. */
  atEnd(): boolean;
  /** Resolves at the end of the shard or at the signal. */
  work: Promise<void>;
}

/** Lambda's batch for a stream. */
const batchSize = 100;
/** What one read takes; most records of a transaction are no events. */
const pageSize = 1000;

/** Reads a shard, from after a position, and hands its new events to the relay in order. */
export function followShard(
  shardId: string,
  start: string | undefined,
  signal: AbortSignal,
  { stream, relay, abandon, idleDelay = 100, firstBackoff = 200, oldest = 20 * 3_600_000 }: Following,
): ShardFollower {
  const progress = progressFrom(start);
  let position = start;
  let iterator: string | undefined;
  let quietReads = 0;
  let atEnd = false;

  const delivery = {
    invoke: relay,
    delivered: (record: StreamRecord) => progress.done(relayTask(record)),
    abandon: (record: StreamRecord) =>
      repeatUntil(signal, 'Giving up an event', async () => {
        await abandon(record);
        return 'over';
      }),
    oldest,
    firstBackoff,
    signal,
  };
  const work = repeatUntil(signal, `Reading ${shardId}`, async () => {
    const from = iterator ?? (await stream.iterator(shardId, position));
    // An iterator that failed may have expired: the next attempt asks for a new one.
    iterator = undefined;
    const { records, next } = await stream.records(from, pageSize);
    if (records.length === 0) quietReads += 1;
    for (const record of records) progress.read(record.dynamodb.SequenceNumber, tasksOf(record));
    const events = records.filter(isRelayed);
    for (let at = 0; at < events.length && !signal.aborted; at += batchSize)
      await deliver(events.slice(at, at + batchSize), delivery);
    position = records.at(-1)?.dynamodb.SequenceNumber ?? position;
    iterator = next;
    if (next === undefined) {
      atEnd = !signal.aborted;
      return 'over';
    }
    if (records.length === 0) await abortableSleep(signal, idleDelay);
    return 'again';
  });
  return { progress, quietReads: () => quietReads, atEnd: () => atEnd, work };
}
