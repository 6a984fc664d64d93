import { abortableSleep, errorLine } from './polling.ts';
import type { StreamRecord } from './table-stream.ts';

/** The target and the retry policy of a delivery. Times are in milliseconds. */
export interface BatchDelivery {
  invoke: (event: { Records: StreamRecord[] }) => Promise<unknown>;
  /** Called for each record that the function accepted. */
  delivered: (record: StreamRecord) => void;
  /** Called for each undelivered record older than `maxAge`. Must not reject. */
  abandon: (record: StreamRecord) => Promise<void>;
  maxAge: number;
  firstBackoff: number;
  signal: AbortSignal;
}

const longestBackoff = 60_000;

/**
 * Delivers a batch to a function, as Lambda does for a stream. If the function reports failures, retries start at the
 * first failed record, after an increasing backoff. If the function throws, delivers each half of the batch
 * separately. Resolves when every record is delivered or abandoned, or when the signal aborts.
 */
export async function deliver(batch: readonly StreamRecord[], delivery: BatchDelivery): Promise<void> {
  const { invoke, delivered, abandon, maxAge, firstBackoff, signal } = delivery;
  let rest = [...batch];
  for (let attempt = 0; rest.length > 0 && !signal.aborted; attempt++) {
    if (attempt > 0) await abortableSleep(signal, backoffBefore(attempt, firstBackoff));
    const expired = rest.filter((record) => ageOf(record) > maxAge);
    for (const record of expired) await abandon(record);
    rest = rest.filter((record) => !expired.includes(record));
    if (rest.length === 0 || signal.aborted) return;

    const accepted = await countAccepted(rest, invoke);
    if (accepted === undefined) {
      if (rest.length === 1) continue;
      const half = Math.ceil(rest.length / 2);
      await deliver(rest.slice(0, half), delivery);
      rest = rest.slice(half);
    } else {
      rest.slice(0, accepted).forEach(delivered);
      rest = rest.slice(accepted);
      // An accepted record resets the backoff.
      if (accepted > 0) attempt = 0;
    }
  }
}

/** Returns the number of records before the first failed record, or undefined if the whole batch failed. */
async function countAccepted(
  records: StreamRecord[],
  invoke: BatchDelivery['invoke'],
): Promise<number | undefined> {
  let response: { batchItemFailures?: { itemIdentifier?: string }[] | null } | null | undefined;
  try {
    response = (await invoke({ Records: records })) as typeof response;
  } catch (error) {
    console.error(`The relay failed: ${errorLine(error)}`);
    return undefined;
  }
  const failures = response?.batchItemFailures ?? [];
  if (failures.length === 0) return records.length;
  const failed = failures.map(({ itemIdentifier }) =>
    records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
  );
  // As in Lambda, the whole batch fails if the function returns an unknown identifier.
  return failed.includes(-1) ? undefined : Math.min(...failed);
}

const ageOf = ({ dynamodb }: StreamRecord): number =>
  dynamodb.ApproximateCreationDateTime === undefined
    ? 0
    : Date.now() - dynamodb.ApproximateCreationDateTime * 1000;

const backoffBefore = (attempt: number, first: number): number =>
  Math.min(longestBackoff, first * 2 ** Math.min(attempt - 1, 20)) * (0.5 + Math.random() / 2);
