import type { QueueName } from '../../shared/events/queues.ts';
import { writeStored } from '../administration/stored-file.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { messageTask } from './event-records.ts';
import { abortableSleep, errorLine, type Poller, repeatUntil } from './polling.ts';
import { followShard, type ShardFollower, type ShardOptions } from './shard-follower.ts';
import type { Shard } from './table-stream.ts';

interface StreamPollerOptions extends ShardOptions {
  checkpointPath: string;
}

interface StreamPoller extends Poller {
  /** Call after a message was deleted or stored as a dead letter. */
  messageDone(queue: QueueName, body: string): void;
  /** Call after the dead letter of a record was stored. */
  recordDead(sequenceNumber: string): void;
  /** The time, in seconds since 1970, at which the oldest unprocessed event was written. Undefined if none exists. */
  waitingSince(): number | undefined;
  /** Resolves when all current records of the stream are handled. For tests. */
  settled(): Promise<void>;
}

/**
 * Passes new events of a table's stream to the relay, like Lambda's event source mapping. Reads parent shards
 * before their child shards. The checkpoint advances past an event only when all messages of the event are
 * done. When the process ends, in-memory queues lose their messages, and the next start creates these messages
 * again. Throws CannotStart if the checkpoint is damaged.
 */
export function startStreamPoller({ checkpointPath, ...options }: StreamPollerOptions): StreamPoller {
  const { stream } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const checkpoint = readCheckpoint(checkpointPath, stream.arn);
  const followers = new Map<string, ShardFollower>();
  let written = '';
  let unwritable = false;

  function save(): void {
    for (const [shardId, { progress, atEnd }] of followers) {
      const position = progress.safe();
      if (position !== undefined) checkpoint.positions[shardId] = position;
      if (atEnd() && progress.idle() && !checkpoint.finished.includes(shardId))
        checkpoint.finished.push(shardId);
    }
    const text = JSON.stringify(checkpoint);
    if (text === written) return;
    try {
      writeStored(checkpointPath, text);
      written = text;
      unwritable = false;
    } catch (error) {
      // Polling continues. With an outdated checkpoint, the next start only processes some events again.
      if (!unwritable) console.error(`The checkpoint cannot be written, retrying: ${errorLine(error)}`);
      unwritable = true;
    }
  }
  // Saves every 50 ms instead of after each event. After a crash, at most 50 ms of work is repeated.
  const saving = setInterval(save, 50);

  function followNew(shards: readonly Shard[]): void {
    const isDone = (id: string) => checkpoint.finished.includes(id) || followers.get(id)?.atEnd() === true;
    for (const { id, parentId } of shards) {
      // A shard waits until its parent is done, unless the stream no longer lists the parent: then DynamoDB has deleted
      // the parent's records.
      const waits = shards.some((shard) => shard.id === parentId && !isDone(shard.id));
      if (waits || followers.has(id) || isDone(id)) continue;
      followers.set(id, followShard(id, checkpoint.positions[id], signal, options));
    }
  }

  const watching = repeatUntil(signal, 'Reading the stream', async () => {
    const shards = await stream.shards();
    removeTrimmed(checkpoint, shards);
    followNew(shards);
    const open = [...followers.values()].filter(({ atEnd }) => !atEnd());
    // Lists the shards again when a shard was read to its end, because its child shards can be read then. If
    // no shard is open, lists them again after 0.5 s, otherwise after a minute at the latest.
    const soon = abortableSleep(signal, open.length > 0 ? 60_000 : 500);
    await Promise.race([soon, ...open.map(({ work }) => work)]);
  });

  return {
    messageDone(queue, body) {
      const task = messageTask(queue, body);
      if (task !== undefined) for (const { progress } of followers.values()) progress.done(task);
    },
    recordDead(sequenceNumber) {
      for (const { progress } of followers.values()) progress.finish(sequenceNumber);
    },
    waitingSince() {
      const all = [...followers.values()].flatMap(({ progress }) => progress.waitingSince() ?? []);
      return all.length === 0 ? undefined : Math.min(...all);
    },
    async settled() {
      // Requires two empty reads, because the first read may have started before the last write.
      const isSettled = ({ progress, emptyReads, atEnd }: ShardFollower, reads: number) =>
        progress.idle() && (atEnd() || emptyReads() > reads + 1);
      const before = new Map([...followers].map(([id, { emptyReads }]) => [id, emptyReads()]));
      const all = () => [...followers].every(([id, follower]) => isSettled(follower, before.get(id) ?? 0));
      while (!signal.aborted && (followers.size === 0 || !all())) await abortableSleep(signal, 10);
      save();
    },
    async stop() {
      stopping.abort();
      await Promise.all([watching, ...[...followers.values()].map(({ work }) => work)]);
      clearInterval(saving);
      save();
    },
  };
}

/** Removes a shard from the checkpoint if the stream no longer lists the shard. */
function removeTrimmed(checkpoint: Checkpoint, shards: readonly Shard[]): void {
  const known = new Set(shards.map(({ id }) => id));
  checkpoint.finished = checkpoint.finished.filter((id) => known.has(id));
  for (const id of Object.keys(checkpoint.positions)) if (!known.has(id)) delete checkpoint.positions[id];
}
