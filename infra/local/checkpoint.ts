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

/** The checkpoint in a file, of whatever stream, or undefined where there is no file. Throws CannotStart where damaged. */
export function storedCheckpoint(path: string): Checkpoint | undefined {
  const text = readStored(path);
  if (text === undefined) return undefined;
  const stored = parsed(text);
  if (!stored)
    throw new CannotStart(
      `The checkpoint ${path} is damaged: remove it, and every event the stream still has is handled again.`,
    );
  return stored;
}

/** The checkpoint of a stream in a file, or an empty one for another stream or no file. Throws CannotStart. */
export function readCheckpoint(path: string, streamArn: string): Checkpoint {
  const stored = storedCheckpoint(path);
  return stored?.streamArn === streamArn ? stored : { streamArn, positions: {}, finished: [] };
}

function parsed(text: string): Checkpoint | undefined {
  try {
    const { streamArn, positions, finished } = JSON.parse(text) as Partial<Checkpoint>;
    if (typeof streamArn !== 'string' || typeof positions !== 'object' || !Array.isArray(finished))
      return undefined;
    const isWhole =
      Object.values(positions ?? {}).every(isPosition) && finished.every((id) => typeof id === 'string');
    return isWhole ? { streamArn, positions: { ...positions }, finished } : undefined;
  } catch {
    return undefined;
  }
}

/** Sequence numbers are digits in every engine. */
const isPosition = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value);
