import { randomInt } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';
import { recordOf } from './item.ts';
import { type Key, type Scope, totalShards, totalsKey, totalsPartition } from './keys.ts';
import { additions, type CounterDelta, type TransactItem } from './operations.ts';
import { queryItems } from './read.ts';

/** Returns the totals of an account or of a scope, summed over the shards. Reads all shards in one query. */
export async function readTotals(account: AccountId, within?: Scope): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (const shard of await queryItems({ partition: totalsPartition(account, within) }))
    for (const [of, count] of Object.entries(recordOf<Record<string, number>>(shard)))
      totals.set(of, (totals.get(of) ?? 0) + count);
  return totals;
}

/**
 * Combines the counter changes of a transaction into one update per partition of totals. Each attempt picks a random
 * shard, so that a retry after a conflict probably uses another shard.
 */
export function counterUpdates(deltas: readonly CounterDelta[], shards?: readonly number[]): TransactItem[] {
  const partitions = new Map<string, { key: Key; sums: Map<string, number> }>();
  for (const { account, within, of, amount } of deltas) {
    const shard = shards?.[randomInt(shards.length)] ?? randomInt(totalShards);
    const key = totalsKey(account, shard, within);
    const { sums } = partitions.get(key.pk) ?? { sums: new Map<string, number>() };
    partitions.set(key.pk, { key, sums: sums.set(of, (sums.get(of) ?? 0) + amount) });
  }
  return [...partitions.values()].flatMap(({ key, sums }) => {
    const amounts = [...sums].filter(([, amount]) => amount !== 0);
    return amounts.length === 0
      ? []
      : [{ operation: { Update: { Key: key, ...additions(amounts) } }, otherwise: 'conflict' }];
  });
}
