import type { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { type ListedNoun, quotaKey, type Scope } from './keys.ts';
import { addToCounter, addWithinQuota, deleteCounterAtZero, type Write } from './operations.ts';
import { getItem } from './read.ts';
import { sameValue } from './revise.ts';

/** Lists of a part of an account's records: which, and how they are counted. */
export interface Scoping<R> {
  of(record: R): Scope;
  /** The change of the counters where a record goes from one state to the next; left out: it is new, or it is gone. */
  recount(noun: ListedNoun, account: AccountId, before?: R, after?: R): Write[];
  total(noun: ListedNoun, account: AccountId, within: Scope): Promise<number>;
}

/**
 * Lists records within a scope, such as a lookup's table and field or a merchant, and takes `most` of them in one: past
 * that a write throws `quota_exceeded`. (Apart from the store, because few nouns need it.)
 */
export const scopedBy = <R>(of: (record: R) => Scope, most: number): Scoping<R> => ({
  of,
  recount(noun, account, before, after) {
    if (before && after && sameValue(of(before), of(after))) return [];
    const counter = (record: R) => quotaKey(account, noun, of(record));
    return [
      ...(before ? [addToCounter(counter(before), -1)] : []),
      ...(after ? [addWithinQuota(counter(after), most)] : []),
    ];
  },
  total: async (noun, account, within) =>
    Number((await getItem(quotaKey(account, noun, within)))?.count ?? 0),
});

/**
 * Fails the transaction with `otherwise` while a scope has any record. For the deletion of what the scope stands for,
 * whose counter goes with it.
 */
export const requireEmptyScope = (
  noun: ListedNoun,
  account: AccountId,
  within: Scope,
  otherwise: ApiError,
): Write => deleteCounterAtZero(quotaKey(account, noun, within), otherwise);
