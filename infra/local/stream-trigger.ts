import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isEvent } from '../../events/consumer.ts';
import type { Event } from '../../events/event.ts';
import { queuesFor } from '../../events/routing.ts';
import { recordOf } from '../../shared/table/item.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { deliver } from './deliver-records.ts';
import type { Invoke } from './lambda.ts';
import { type Progress, progressFrom } from './progress.ts';
import { pauseUnless, repeatUntil } from './stopping.ts';
import { writeStored } from './stored-file.ts';
import type { Shard, StreamRecord, TableStream } from './table-stream.ts';

interface Options {
  stream: TableStream;
  relay: Invoke;
  /** Takes a record that the relay refused until it was too old: it goes to the relay's dead-letter queue. */
  abandon: (record: StreamRecord) => Promise<void>;
  /** The file that remembers how far the work has come; without it a start reads from the oldest record. */
  checkpointPath?: string;
  /** Milliseconds between two looks at a stream with nothing new. */
  idlePause?: number;
  /** Milliseconds before the first retry; each further one waits twice as long. */
  firstPause?: number;
  /** Milliseconds after which a record is given up: 20 h, well inside the 24 h a stream keeps it. */
  oldest?: number;
}

export interface StreamTrigger {
  /** An event's message in a queue is deleted, or dead-lettered and on file. */
  messageDone(queue: string, eventId: number): void;
  /** A record's dead letter is on file. */
  recordDead(sequenceNumber: string): void;
  /** Resolves when everything up to now is handled. For tests. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Lambda's batch for a stream. */
const batchSize = 100;
/** What one read takes; most records of a transaction are not events. */
const pageSize = 1000;

/**
 * Follows a table's stream shard by shard, parents before children, and hands new events to the relay as
 * Lambda's event source mapping does. The checkpoint moves only over events whose every message is done, because
 * the queues forget theirs when the process dies.
 */
export function startStreamTrigger(options: Options): StreamTrigger {
  const { stream, checkpointPath } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const checkpoint: Checkpoint = checkpointPath
    ? readCheckpoint(checkpointPath, stream.arn)
    : { streamArn: stream.arn, positions: {}, finished: [] };
  const following = new Map<string, { progress: Progress; atEnd: boolean; work: Promise<void> }>();
  let written = '';

  function save(): void {
    for (const [shardId, { progress, atEnd }] of following) {
      const position = progress.safe();
      if (position !== undefined) checkpoint.positions[shardId] = position;
      if (atEnd && progress.idle() && !checkpoint.finished.includes(shardId))
        checkpoint.finished.push(shardId);
    }
    const text = JSON.stringify(checkpoint);
    if (checkpointPath === undefined || text === written) return;
    writeStored(checkpointPath, text);
    written = text;
  }
  // Losing the last moment's progress costs a repeat, so that a burst need not write a file for each event.
  const saving = setInterval(save, 50);

  function begin(shards: readonly Shard[]): void {
    const isDone = (id: string) =>
      checkpoint.finished.includes(id) ||
      following.get(id)?.atEnd ||
      !shards.some((shard) => shard.id === id);
    for (const { id, parentId } of shards) {
      if (following.has(id) || isDone(id) || (parentId !== undefined && !isDone(parentId))) continue;
      const progress = progressFrom(checkpoint.positions[id]);
      const follower = { progress, atEnd: false, work: Promise.resolve() };
      following.set(id, follower);
      follower.work = followShard(id, progress, signal, options).then(() => {
        follower.atEnd = !signal.aborted;
      });
    }
  }

  const watching = repeatUntil(signal, 'Reading the stream', async () => {
    const shards = await stream.shards();
    // A shard that is gone from the stream is of no use in the checkpoint either.
    checkpoint.finished = checkpoint.finished.filter((id) => shards.some((shard) => shard.id === id));
    begin(shards);
    const open = [...following.values()].filter(({ atEnd }) => !atEnd);
    // Children appear when a shard closes; an engine that has no shard yet is asked again soon.
    await Promise.race([
      ...open.map(({ work }) => work),
      pauseUnless(signal, open.length > 0 ? 60_000 : 500),
    ]);
    return 'again';
  });

  return {
    messageDone(queue, eventId) {
      for (const { progress } of following.values()) progress.done(messageTask(queue, eventId));
    },
    recordDead(sequenceNumber) {
      for (const { progress } of following.values()) progress.finish(sequenceNumber);
    },
    async settled() {
      await pauseUnless(signal, 2 * (options.idlePause ?? 100));
      while (!signal.aborted && [...following.values()].some(({ progress }) => !progress.idle()))
        await pauseUnless(signal, 10);
      save();
    },
    async stop() {
      stopping.abort();
      await Promise.all([watching, ...[...following.values()].map(({ work }) => work)]);
      clearInterval(saving);
      save();
    },
  };
}

/** Reads one shard until it closes or the signal comes. */
async function followShard(
  shardId: string,
  progress: Progress,
  signal: AbortSignal,
  { stream, relay, abandon, idlePause = 100, firstPause = 200, oldest = 20 * 3_600_000 }: Options,
): Promise<void> {
  let position = progress.safe();
  let iterator: string | undefined;
  const delivery = {
    invoke: relay,
    delivered: ({ dynamodb }: StreamRecord) => progress.done(relayTask(dynamodb.SequenceNumber)),
    abandon: (record: StreamRecord) =>
      repeatUntil(signal, 'Giving up an event', async () => {
        await abandon(record);
        return 'over';
      }),
    oldest,
    firstPause,
    signal,
  };
  await repeatUntil(signal, `Reading ${shardId}`, async () => {
    const from = iterator ?? (await stream.iterator(shardId, position));
    // An iterator that failed may have expired: the next attempt asks for a new one.
    iterator = undefined;
    const { records, next } = await stream.records(from, pageSize);
    for (const record of records) progress.read(record.dynamodb.SequenceNumber, tasksOf(record));
    const events = records.filter(isNewEvent);
    for (let at = 0; at < events.length && !signal.aborted; at += batchSize)
      await deliver(events.slice(at, at + batchSize), delivery);
    position = records.at(-1)?.dynamodb.SequenceNumber ?? position;
    iterator = next;
    if (next === undefined) return 'over';
    if (records.length === 0) await pauseUnless(signal, idlePause);
    return 'again';
  });
}

/** The relay's filter in the cloud: inserted items that are events. */
const isNewEvent = ({ eventName, dynamodb }: StreamRecord): boolean =>
  eventName === 'INSERT' && dynamodb.NewImage?.type?.S === 'event';

/** What must happen before a record counts as done. */
function tasksOf(record: StreamRecord): string[] {
  if (!isNewEvent(record)) return [];
  const { SequenceNumber } = record.dynamodb;
  const event = eventIn(record);
  // The relay sends what it cannot read to its dead-letter queue: `recordDead` ends the wait for it.
  if (!event) return [relayTask(SequenceNumber), `dead/${SequenceNumber}`];
  return [relayTask(SequenceNumber), ...queuesFor(event).map((queue) => messageTask(queue, event.id))];
}

const relayTask = (sequenceNumber: string): string => `relay/${sequenceNumber}`;
const messageTask = (queue: string, eventId: number): string => `${queue}/${eventId}`;

function eventIn({ dynamodb }: StreamRecord): Event | undefined {
  try {
    const event = recordOf<unknown>(unmarshall(dynamodb.NewImage as Record<string, AttributeValue>));
    return isEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}
