import { randomInt } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';
import { recordOf } from './item.ts';
import { totalShards, totalsKey, totalsPartition } from './keys.ts';
import type { CounterDelta, TransactItem } from './operations.ts';
import { queryItems } from './read.ts';

/** How many of everything an account has: the sum of its shards, in one query. */
export async function readTotals(account: AccountId): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (const shard of await queryItems({ partition: totalsPartition(account) }))
    for (const [of, count] of Object.entries(recordOf<Record<string, number>>(shard)))
      totals.set(of, (totals.get(of) ?? 0) + count);
  return totals;
}

/**
 * The counter changes of a transaction as one update for each account. Every attempt picks a random shard, so that
 * a retry after a conflict on one shard is likely to hit another.
 */
export function counterUpdates(deltas: readonly CounterDelta[]): TransactItem[] {
  const accounts = [...new Set(deltas.map(({ account }) => account))];
  return accounts.map((account) =>
    addAll(
      account,
      deltas.filter((delta) => delta.account === account),
    ),
  );
}

function addAll(account: AccountId, deltas: readonly CounterDelta[]): TransactItem {
  const sums = new Map<string, number>();
  for (const { of, amount } of deltas) sums.set(of, (sums.get(of) ?? 0) + amount);
  const counts = [...sums].map(([of, sum], index) => ({ name: `#n${index}`, of, value: `:v${index}`, sum }));
  return {
    operation: {
      Update: {
        Key: totalsKey(account, randomInt(totalShards)),
        UpdateExpression: `ADD ${counts.map(({ name, value }) => `${name} ${value}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(counts.map(({ name, of }) => [name, of])),
        ExpressionAttributeValues: Object.fromEntries(counts.map(({ value, sum }) => [value, sum])),
      },
    },
    otherwise: 'conflict',
  };
}
