import type { AccountId } from '../id/account-id.ts';
import { digits, type Key, type ListedNoun, partitionAcrossAccounts } from './keys.ts';

/** The number of partitions for the due records of a noun, because all accounts write to them. */
export const dueShards = 8;

/** A record with something due. */
export interface Due {
  account: AccountId;
  noun: ListedNoun;
  /** A minted number or a text. */
  id: number | string;
  /** ISO 8601 with milliseconds. */
  at: string;
}

/**
 * The position of a due record: sorted by due time, across accounts. Each noun has its own shards, so sweeps are
 * separate.
 */
export const dueAcrossAccountsKey = ({ account, noun, id, at }: Due) => ({
  duePk: dueAcrossAccountsPartition(noun, dueShardOf(account, id)),
  dueSk: [at, account, noun, typeof id === 'number' ? digits(id) : id].join('#'),
});

/**
 * Numeric ids are spread by their value. Text ids repeat across accounts, so their shard depends on the account too.
 */
function dueShardOf(account: AccountId, id: number | string): number {
  if (typeof id === 'number') return id % dueShards;
  let sum = 0;
  for (const unit of `${account}#${id}`) sum = (sum * 31 + unit.charCodeAt(0)) % 1_000_003;
  return sum % dueShards;
}

/** Tickets were the first noun with due records, so their partitions do not contain the noun. */
export const dueAcrossAccountsPartition = (noun: ListedNoun, shard: number): string =>
  partitionAcrossAccounts('DUE', ...(noun === 'TICKET' ? [] : [noun]), String(shard));

/** The sort keys before an instant, optionally after another due record or from an instant on. */
export const dueRange = (before: Date, after?: Due | string): { from: string; to: string } => ({
  // Nothing sorts between a key and the key followed by a space, or between an instant and its keys with #.
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

/** Stores where the next sweep of a shard continues, across accounts. */
export const sweepPlaceAcrossAccountsKey = (noun: ListedNoun, shard: number): Key => ({
  pk: partitionAcrossAccounts('SWEEP', noun),
  sk: `PLACE#${shard}`,
});
