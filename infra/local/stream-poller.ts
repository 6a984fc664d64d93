import type { QueueName } from '../../shared/events/queues.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { messageTask } from './event-records.ts';
import { abortableSleep, repeatUntil } from './polling.ts';
import { type Following, followShard, type ShardFollower } from './shard-follower.ts';
import { writeStored } from './stored-file.ts';
import type { Shard } from './table-stream.ts';

interface StreamPollerOptions extends Following {
  /** The file that remembers how far the work has come. */
  checkpointPath: string;
}

interface StreamPoller {
  /** A message in a queue is deleted, or dead and on file. */
  messageDone(queue: QueueName, body: string): void;
  /** A record's dead letter is on file. */
  recordDead(sequenceNumber: string): void;
  /** Resolves when everything that is in the stream now is handled. For tests. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Follows a table's stream shard by shard, parents before children, and hands new events to the relay as
 * Lambda's event source mapping does. The checkpoint moves only over events whose every message is done, because
 * the queues forget theirs when the process dies. Throws CannotStart where the checkpoint is damaged.
 */
export function startStreamPoller({ checkpointPath, ...following }: StreamPollerOptions): StreamPoller {
  const { stream } = following;
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
      // Not worth ending for: a start would repeat what was not written down. It is logged once and tried again.
      if (!unwritable) console.error(`The checkpoint cannot be written: ${(error as Error).message}`);
      unwritable = true;
    }
  }
  // Losing the last moment's progress costs a repeat, so that a burst need not write a file for each event.
  const saving = setInterval(save, 50);

  function begin(shards: readonly Shard[]): void {
    const isDone = (id: string) => checkpoint.finished.includes(id) || followers.get(id)?.atEnd() === true;
    for (const { id, parentId } of shards) {
      // A parent that the stream no longer keeps has nothing left to read.
      const waits = shards.some((shard) => shard.id === parentId && !isDone(shard.id));
      if (waits || followers.has(id) || isDone(id)) continue;
      followers.set(id, followShard(id, checkpoint.positions[id], signal, following));
    }
  }

  const watching = repeatUntil(signal, 'Reading the stream', async () => {
    const shards = await stream.shards();
    forgetGone(checkpoint, shards);
    begin(shards);
    const open = [...followers.values()].filter(({ atEnd }) => !atEnd());
    // Children appear when a shard closes; an engine that has no shard yet is polled again soon.
    const soon = abortableSleep(signal, open.length > 0 ? 60_000 : 500);
    await Promise.race([soon, ...open.map(({ work }) => work)]);
    return 'again';
  });

  return {
    messageDone(queue, body) {
      const task = messageTask(queue, body);
      if (task !== undefined) for (const { progress } of followers.values()) progress.done(task);
    },
    recordDead(sequenceNumber) {
      for (const { progress } of followers.values()) progress.finish(sequenceNumber);
    },
    async settled() {
      // One read may have been under way before the last write; the one after it was not.
      const isSettled = ({ progress, quietReads, atEnd }: ShardFollower, reads: number) =>
        progress.idle() && (atEnd() || quietReads() > reads + 1);
      const before = new Map([...followers].map(([id, { quietReads }]) => [id, quietReads()]));
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

/** A shard that is gone from the stream is of no use in the checkpoint either. */
function forgetGone(checkpoint: Checkpoint, shards: readonly Shard[]): void {
  const known = new Set(shards.map(({ id }) => id));
  checkpoint.finished = checkpoint.finished.filter((id) => known.has(id));
  for (const id of Object.keys(checkpoint.positions)) if (!known.has(id)) delete checkpoint.positions[id];
}
