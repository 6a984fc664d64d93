import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { busy } from '../errors.ts';
import { backoff } from './backoff.ts';
import { table, tableName } from './client.ts';
import { isCounterDelta, type TransactItem, type Write } from './operations.ts';
import { counterUpdates } from './totals.ts';

/** Another write came first: read again and decide again. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';

  /** `attempts`: how often the request was tried by then. */
  constructor(readonly attempts: number) {
    super();
  }
}

/** Reasons DynamoDB gives for a cancelled transaction that had nothing wrong with it. */
const passing = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/**
 * Longest wait after a conflict, in milliseconds. Where a hundred want one item somebody always gets through, so what
 * counts is how soon the others ask again: simulated with transactions of 20 ms, the last of them is through after
 * 3.3 s, at seven attempts each. With the second that fits a throttle it is 3.7 s, with a quarter of a second ten attempts.
 */
const longestAfterConflict = 700;

/**
 * Writes all of it in one transaction or none of it. Conflicts and throttles are retried with full jitter until
 * `deadline` (milliseconds since 1970), then thrown as `busy`. A condition that does not hold throws what its write
 * says: an ApiError, or VersionConflict. Every attempt carries a token, so that the SDK's own retry after a lost
 * response takes effect once. `attempts` is how often the request was tried before; its waits go on from there.
 */
export async function transact(writes: readonly Write[], deadline: number, attempts = 0): Promise<void> {
  if (writes.length === 0) return;
  const items = writes.filter((write): write is TransactItem => !isCounterDelta(write));
  const deltas = writes.filter(isCounterDelta);
  for (let attempt = attempts + 1; ; attempt++) {
    const parts = [...items, ...counterUpdates(deltas)];
    const operations = parts.map(({ operation }) => withTable(operation));
    try {
      await table.send(
        new TransactWriteCommand({ TransactItems: operations, ClientRequestToken: randomUUID() }),
      );
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
      const failed = parts.find((_, index) => codes[index] === 'ConditionalCheckFailed');
      if (failed) throw failed.otherwise === 'race' ? new VersionConflict(attempt) : failed.otherwise;
      if (!codes.some((code) => passing.has(code))) throw error;
      if (Date.now() >= deadline) throw busy();
      await backoff(attempt, codes.includes('TransactionConflict') ? longestAfterConflict : undefined);
    }
  }
}

function withTable(operation: TransactItem['operation']) {
  const TableName = tableName();
  if ('Put' in operation) return { Put: { ...operation.Put, TableName } };
  if ('Update' in operation) return { Update: { ...operation.Update, TableName } };
  if ('Delete' in operation) return { Delete: { ...operation.Delete, TableName } };
  return { ConditionCheck: { ...operation.ConditionCheck, TableName } };
}
