import { randomUUID } from 'node:crypto';
import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { busy } from '../errors.ts';
import { marshalled } from './attributes.ts';
import { backoff } from './backoff.ts';
import { table, tableName } from './client.ts';
import { isCounterDelta, type TransactItem, type Write } from './operations.ts';
import { counterUpdates } from './totals.ts';

/** Another write changed an item first. The request must read and decide again. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';

  /** `attempts` is the number of attempts so far. */
  constructor(readonly attempts: number) {
    super();
  }
}

/** Cancellation reasons after which a retry of the same transaction may succeed. */
const transient = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/**
 * The longest wait after a conflict, in milliseconds. When 100 transactions conflict on one item, one of them always
 * commits, so the others should retry soon. In a simulation with transactions of 20 ms, the last transaction commits
 * after seven attempts and 3.3 s. With a limit of 1,000 ms, it takes 3.7 s. With 250 ms, it needs ten attempts.
 */
const longestAfterConflict = 700;

/**
 * Commits all writes in one transaction. Conflicts and throttles are retried with full jitter until
 * `deadline` (milliseconds since 1970), then `busy` is thrown. If the condition of a write fails, throws
 * VersionConflict, or the error in the write's `otherwise` or `missing`. An idempotency token makes the SDK's
 * retry after a lost response harmless. `attempts` is the number of earlier attempts: the waits grow with this
 * number. `shards` lists the shards of totals to use; default all.
 */
export async function transact(
  writes: readonly Write[],
  deadline: number,
  attempts = 0,
  shards?: readonly number[],
): Promise<void> {
  if (writes.length === 0) return;
  const items = writes.filter((write): write is TransactItem => !isCounterDelta(write));
  const deltas = writes.filter(isCounterDelta);
  for (let attempt = attempts + 1; ; attempt++) {
    const parts = [...items, ...counterUpdates(deltas, shards)];
    const operations = parts.map(({ operation }) => withTable(operation));
    try {
      await table.send(
        new TransactWriteItemsCommand({ TransactItems: operations, ClientRequestToken: randomUUID() }),
      );
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const codes = reasons.map(({ Code }) => Code ?? 'None');
      const at = codes.indexOf('ConditionalCheckFailed');
      const failed = parts[at];
      if (failed) {
        const meaning = reasons[at]?.Item ? failed.otherwise : (failed.missing ?? failed.otherwise);
        throw meaning === 'conflict' ? new VersionConflict(attempt) : meaning;
      }
      const retryable = codes.find((code) => transient.has(code));
      if (!retryable) throw error;
      if (Date.now() >= deadline) throw busy(retryable);
      await backoff(attempt, codes.includes('TransactionConflict') ? longestAfterConflict : undefined);
    }
  }
}

function withTable(operation: TransactItem['operation']): TransactWriteItem {
  const TableName = tableName();
  if ('Put' in operation) return { Put: marshalled({ ...operation.Put, TableName }) };
  if ('Update' in operation) return { Update: marshalled({ ...operation.Update, TableName }) };
  if ('Delete' in operation) return { Delete: marshalled({ ...operation.Delete, TableName }) };
  return { ConditionCheck: marshalled({ ...operation.ConditionCheck, TableName }) };
}
