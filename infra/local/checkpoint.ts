import { parseStored } from '../administration/stored-file.ts';

/** The progress of the local service in processing a table's stream. */
export interface Checkpoint {
  streamArn: string;
  /** For each shard id, a sequence number. All records up to this number are processed. */
  positions: Record<string, string>;
  /** The ids of the closed shards whose records are all processed. */
  finished: string[];
}

/** Returns undefined if the file does not exist. Throws CannotStart if the file is damaged. */
export const storedCheckpoint = (path: string): Checkpoint | undefined =>
  parseStored(path, {
    parse: parseCheckpoint,
    damaged: `The checkpoint ${path} is damaged. Delete it. The service then processes all events of the stream again.`,
  });

/** Returns an empty checkpoint if the stream has no stored checkpoint. Throws CannotStart if the file is damaged. */
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

/** All engines use decimal sequence numbers. */
const isSequenceNumber = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value);
