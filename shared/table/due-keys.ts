import type { AccountId } from '../id/account-id.ts';
import { digits, type Key, type ListedNoun, partitionAcrossAccounts } from './keys.ts';

/** The number of partitions that due records of a noun are spread over, because all accounts write to them. */
export const dueShards = 8;

/** A record of an account, and when something about it is due. */
export interface Due {
  account: AccountId;
  noun: ListedNoun;
  /** A minted number, or a text such as the name of a work queue. */
  id: number | string;
  /** ISO 8601 with milliseconds. */
  at: string;
}

/**
 * A place in a shard of the due records of a noun, ordered by instant, across accounts. Each noun has its own shards, so
 * that a sweep of one noun never reads another.
 */
export const dueAcrossAccountsKey = ({ account, noun, id, at }: Due) => ({
  duePk: dueAcrossAccountsPartition(noun, dueShardOf(account, id)),
  dueSk: [at, account, noun, typeof id === 'number' ? digits(id) : id].join('#'),
});

/** Minted ids are spread by any of their digits. An account has few text ids, so for those the account counts too. */
function dueShardOf(account: AccountId, id: number | string): number {
  if (typeof id === 'number') return id % dueShards;
  let sum = 0;
  for (const unit of `${account}#${id}`) sum = (sum * 31 + unit.charCodeAt(0)) % 1_000_003;
  return sum % dueShards;
}

/** Tickets were the first noun with due records, so their partitions have no noun. */
export const dueAcrossAccountsPartition = (noun: ListedNoun, shard: number): string =>
  partitionAcrossAccounts('DUE', ...(noun === 'TICKET' ? [] : [noun]), String(shard));

/** The sort keys before an instant, and after another due record or from an instant on. */
export const dueRange = (before: Date, after?: Due | string): { from: string; to: string } => ({
  // Nothing sorts between a key and the same key followed by a space, nor between an instant and its keys with #.
  from: typeof after === 'object' ? `${dueAcrossAccountsKey(after).dueSk} ` : (after ?? '0'),
  to: before.toISOString(),
});

/** The content of a sort key of `dueAcrossAccountsKey`. */
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

/** Where the next run of a sweep continues in a shard of due records, across accounts. */
export const sweepPlaceAcrossAccountsKey = (noun: ListedNoun, shard: number): Key => ({
  pk: partitionAcrossAccounts('SWEEP', noun),
  sk: `PLACE#${shard}`,
});
