import { parseStored } from './stored-file.ts';

/** The progress of the work on a table's stream. */
export interface Checkpoint {
  streamArn: string;
  /** For each shard, the sequence number up to which all records are done. */
  positions: Record<string, string>;
  /** Closed shards whose records are all done. */
  finished: string[];
}

/** Reads the checkpoint of any stream; undefined if there is no file. Throws CannotStart if it is damaged. */
export const storedCheckpoint = (path: string): Checkpoint | undefined =>
  parseStored(path, {
    parse: parseCheckpoint,
    damaged: `The checkpoint ${path} is damaged. Delete it; the service then handles all events of the stream again.`,
  });

/** The checkpoint of this stream; an empty one if the file has none or another stream's. Throws CannotStart. */
export function readCheckpoint(path: string, streamArn: string): Checkpoint {
  const stored = storedCheckpoint(path);
  return stored?.streamArn === streamArn ? stored : { streamArn, positions: {}, finished: [] };
}

function parseCheckpoint(text: string): Checkpoint | undefined {
  const { streamArn, positions, finished } = JSON.parse(text) as Partial<Checkpoint>;
  if (typeof streamArn !== 'string' || typeof positions !== 'object' || !Array.isArray(finished))
    return undefined;
  const isValid =
    Object.values(positions ?? {}).every(isSequenceNumber) && finished.every((id) => typeof id === 'string');
  return isValid ? { streamArn, positions: { ...positions }, finished } : undefined;
}

/** All engines use decimal numbers. */
const isSequenceNumber = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value);
