import type { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { type ListedNoun, quotaKey, type Scope } from './keys.ts';
import { addToCounter, addWithinQuota, deleteCounterAtZero, type Write } from './operations.ts';
import { getItem } from './read.ts';
import { sameValue } from './revise.ts';

/** Lists and counts the records of a type by scope. */
export interface Scoping<R> {
  of(record: R): Scope;
  /** Returns the updates to the counters for a change, an insert (no `before`) or a deletion (no `after`). */
  recount(noun: ListedNoun, account: AccountId, before?: R, after?: R): Write[];
  total(noun: ListedNoun, account: AccountId, within: Scope): Promise<number>;
}

/**
 * Lists the records of each scope, such as a merchant, separately. A write throws `quota_exceeded` if a scope would
 * have more than `most` records. `most` can depend on the record. This function is not part of `recordStore`, because few record types have scopes.
 */
export const scopedBy = <R>(
  of: (record: R) => Scope,
  most: number | ((record: R) => number),
): Scoping<R> => ({
  of,
  recount(noun, account, before, after) {
    if (before && after && sameValue(of(before), of(after))) return [];
    const counter = (record: R) => quotaKey(account, noun, of(record));
    return [
      ...(before ? [addToCounter(counter(before), -1)] : []),
      ...(after ? [addWithinQuota(counter(after), typeof most === 'number' ? most : most(after))] : []),
    ];
  },
  total: async (noun, account, within) =>
    Number((await getItem(quotaKey(account, noun, within)))?.count ?? 0),
});

/** Returns the write that deletes the counter of a scope. The write throws `otherwise` if the scope has records. */
export const requireEmptyScope = (
  noun: ListedNoun,
  account: AccountId,
  within: Scope,
  otherwise: ApiError,
): Write => deleteCounterAtZero(quotaKey(account, noun, within), otherwise);
