import { randomInt } from 'node:crypto';
import type { AccountId } from '../accounts/account-id.ts';
import { recordOf } from './item.ts';
import { totalShards, totalsKey, totalsPartition } from './keys.ts';
import { queryItems } from './read.ts';
import type { Change, Tally } from './write.ts';

/** How many of everything an account has: the sum of its shards, in one query. */
export async function readTotals(account: AccountId): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (const shard of await queryItems({ partition: totalsPartition(account) }))
    for (const [of, count] of Object.entries(recordOf<Record<string, number>>(shard)))
      totals.set(of, (totals.get(of) ?? 0) + count);
  return totals;
}

/**
 * The tallies of a transaction as one update for each account, on a shard drawn anew for every attempt: whoever
 * met a conflict on one shard tries another.
 */
export function tallyChanges(tallies: readonly Tally[]): Change[] {
  const accounts = [...new Set(tallies.map(({ account }) => account))];
  return accounts.map((account) =>
    addAll(
      account,
      tallies.filter((tally) => tally.account === account),
    ),
  );
}

function addAll(account: AccountId, tallies: readonly Tally[]): Change {
  const sums = new Map<string, number>();
  for (const { of, amount } of tallies) sums.set(of, (sums.get(of) ?? 0) + amount);
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
    otherwise: 'race',
  };
}
