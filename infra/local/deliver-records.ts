import { abortableSleep } from './polling.ts';
import type { StreamRecord } from './table-stream.ts';

/** What happens to a batch of stream records; times in milliseconds. */
export interface BatchDelivery {
  invoke: (event: { Records: StreamRecord[] }) => Promise<unknown>;
  /** A record the function has taken. */
  delivered: (record: StreamRecord) => void;
  /** A record that kept failing until it was too old. Must not reject. */
  abandon: (record: StreamRecord) => Promise<void>;
  oldest: number;
  firstBackoff: number;
  signal: AbortSignal;
}

const longestBackoff = 60_000;

/**
 * Hands a batch to a function the way Lambda does for a stream: what comes before the lowest reported failure is
 * done, the rest is tried again after a growing backoff; a batch that makes the function throw is cut in half and
 * each half tried by itself. Records older than `oldest` are given up. Resolves when every record is delivered or
 * abandoned, or at the signal.
 */
export async function deliver(batch: readonly StreamRecord[], delivery: BatchDelivery): Promise<void> {
  const { invoke, delivered, abandon, oldest, firstBackoff, signal } = delivery;
  let rest = [...batch];
  for (let attempt = 0; rest.length > 0 && !signal.aborted; attempt++) {
    if (attempt > 0) await abortableSleep(signal, backoffBefore(attempt, firstBackoff));
    const expired = rest.filter((record) => ageOf(record) > oldest);
    for (const record of expired) await abandon(record);
    rest = rest.filter((record) => !expired.includes(record));
    if (rest.length === 0 || signal.aborted) return;

    const taken = await countTaken(rest, invoke);
    if (taken === undefined) {
      if (rest.length === 1) continue;
      const half = Math.ceil(rest.length / 2);
      await deliver(rest.slice(0, half), delivery);
      rest = rest.slice(half);
    } else {
      rest.slice(0, taken).forEach(delivered);
      rest = rest.slice(taken);
      // Some of it went through, so the next attempt need not wait as long as the last did.
      if (taken > 0) attempt = 0;
    }
  }
}

/** How many records from the front are done, or undefined where the function failed as a whole. */
async function countTaken(
  records: StreamRecord[],
  invoke: BatchDelivery['invoke'],
): Promise<number | undefined> {
  let response: { batchItemFailures?: { itemIdentifier?: string }[] | null } | null | undefined;
  try {
    response = (await invoke({ Records: records })) as typeof response;
  } catch (error) {
    console.error(`The relay failed: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
  const failures = response?.batchItemFailures ?? [];
  if (failures.length === 0) return records.length;
  const failed = failures.map(({ itemIdentifier }) =>
    records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
  );
  // A failure that names none of the records counts as the failure of all, as in Lambda.
  return failed.includes(-1) ? undefined : Math.min(...failed);
}

const ageOf = ({ dynamodb }: StreamRecord): number =>
  dynamodb.ApproximateCreationDateTime === undefined
    ? 0
    : Date.now() - dynamodb.ApproximateCreationDateTime * 1000;

const backoffBefore = (attempt: number, first: number): number =>
  Math.min(longestBackoff, first * 2 ** Math.min(attempt - 1, 20)) * (0.5 + Math.random() / 2);
