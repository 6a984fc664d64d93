import { expect } from 'vitest';
import type { AccountId } from '../../shared/id/account-id.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import type { Item } from '../../shared/table/item.ts';
import { totalShards, totalsKey } from '../../shared/table/keys.ts';

/** Writes the items that `itemsOf` returns for each number from `first` to `end` - 1, with four parallel writers. */
export async function putRange(first: number, end: number, itemsOf: (n: number) => Item[]): Promise<void> {
  let next = first;
  const write = async () => {
    for (let from = next; from < end; from = next) {
      next = from + 50;
      const numbers = Array.from({ length: Math.min(50, end - from) }, (_, n) => from + n);
      expect(await putAll(numbers.flatMap(itemsOf))).toEqual([]);
    }
  };
  await Promise.all(Array.from({ length: 4 }, write));
}

/** Sets the number of records of one kind in an account. */
export async function setTotal(account: AccountId, noun: string, total: number): Promise<void> {
  const shards = Array.from({ length: totalShards }, (_, shard) => ({
    ...totalsKey(account, shard),
    [noun]: shard === 3 ? total : 0,
  }));
  expect(await putAll(shards)).toEqual([]);
}
