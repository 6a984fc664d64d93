import { CannotStart } from './cannot-start.ts';
import { readStored } from './stored-file.ts';

/** How far the work on a table's stream has come. */
export interface Checkpoint {
  streamArn: string;
  /** By shard, the last sequence number with everything up to it done. */
  positions: Record<string, string>;
  /** Shards that have come to their end and are done. */
  finished: string[];
}

/** The checkpoint in a file, or an empty one for another stream or no file. Throws CannotStart where it is damaged. */
export function readCheckpoint(path: string, streamArn: string): Checkpoint {
  const empty: Checkpoint = { streamArn, positions: {}, finished: [] };
  const text = readStored(path);
  if (text === undefined) return empty;
  const stored = parsed(text);
  if (!stored)
    throw new CannotStart(
      `The checkpoint ${path} is damaged: remove it, and every event the stream still has is handled again.`,
    );
  return stored.streamArn === streamArn ? stored : empty;
}

function parsed(text: string): Checkpoint | undefined {
  try {
    const { streamArn, positions, finished } = JSON.parse(text) as Partial<Checkpoint>;
    const complete =
      typeof streamArn === 'string' && typeof positions === 'object' && Array.isArray(finished);
    return complete ? { streamArn, positions: { ...positions }, finished } : undefined;
  } catch {
    return undefined;
  }
}
