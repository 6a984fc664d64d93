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

/** Another write changed an item first: the request has to read and decide again. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';

  /** `attempts`: how often the request was tried by then. */
  constructor(readonly attempts: number) {
    super();
  }
}

/** Cancellation reasons that a retry of the same transaction can cure. */
const transient = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/**
 * Longest wait after a conflict, in milliseconds. Of a hundred transactions on one item one always commits, so what
 * counts is how soon the others retry. Simulated with transactions of 20 ms, the last commits after 3.3 s, at seven
 * attempts each. With a throttle's longest wait of one second it is 3.7 s; with 250 ms it takes ten attempts each.
 */
const longestAfterConflict = 700;

/**
 * Writes all of it in one transaction or none of it. Conflicts and throttles are retried with full jitter until
 * `deadline` (milliseconds since 1970), then thrown as `busy`. A condition that does not hold throws the `otherwise`
 * of its write, or the `missing`: an ApiError, or VersionConflict. Every attempt carries a token, so that the SDK's own retry after a
 * lost response takes effect once. `attempts` counts earlier attempts of the request; the waits grow from there. `shards`
 * says which shards of totals may be counted in, for those who share them out; left out: any.
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
