import type { AccountId } from '../id/account-id.ts';
import { digits, type Key, type ListedNoun, partitionAcrossAccounts } from './keys.ts';

/** The number of partitions (shards) for the due records of a type. One partition is too slow for all accounts. */
export const dueShards = 8;

/** A record with a due time. */
export interface Due {
  account: AccountId;
  noun: ListedNoun;
  /** A generated number or a text. */
  id: number | string;
  /** ISO 8601 with milliseconds. */
  at: string;
}

/**
 * The key of a due record in the index `due`, which sorts the records of all accounts by due time. Each record
 * type (`noun`) has its own shards, because each sweep reads one type.
 */
export const dueAcrossAccountsKey = ({ account, noun, id, at }: Due) => ({
  duePk: dueAcrossAccountsPartition(noun, dueShardOf(account, id)),
  dueSk: [at, account, noun, typeof id === 'number' ? digits(id) : id].join('#'),
});

/** A numeric id alone determines the shard. Text ids can repeat across accounts, so their hash includes the account. */
function dueShardOf(account: AccountId, id: number | string): number {
  if (typeof id === 'number') return id % dueShards;
  let sum = 0;
  for (const unit of `${account}#${id}`) sum = (sum * 31 + unit.charCodeAt(0)) % 1_000_003;
  return sum % dueShards;
}

export const dueAcrossAccountsPartition = (noun: ListedNoun, shard: number | '?'): string =>
  partitionAcrossAccounts('DUE', noun, String(shard));

/** Returns the range of sort keys from `after` to `before`. If `after` is a record, the range excludes this record. */
export const dueRange = (before: Date, after?: Due | string): { from: string; to: string } => ({
  // `from`: a space after the key excludes the record itself. `to`: a time alone sorts before all keys that
  // start with this time, so records that are due at `before` are excluded.
  from: typeof after === 'object' ? `${dueAcrossAccountsKey(after).dueSk} ` : (after ?? '0'),
  to: before.toISOString(),
});

/** Parses a sort key of `dueAcrossAccountsKey`. */
export function readDueKey(dueSk: string): Due {
  const [at = '', account = '', noun = '', ...id] = dueSk.split('#');
  const text = id.join('#');
  return {
    account: account as AccountId,
    noun: noun as ListedNoun,
    id: /^\d{16}$/.test(text) ? Number(text) : text,
    at,
  };
}

/** The key of the item that stores the position at which the next sweep of a shard continues. */
export const sweepPlaceAcrossAccountsKey = (noun: ListedNoun, shard: number): Key => ({
  pk: partitionAcrossAccounts('SWEEP', noun),
  sk: `PLACE#${shard}`,
});
