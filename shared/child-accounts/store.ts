import { ApiError } from '../errors.ts';
import { byName } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Write } from '../table/operations.ts';
import { recordStore } from '../table/record-store.ts';
import { requireEmptyScope, scopedBy } from '../table/scope.ts';
import { childNoun } from './keys.ts';
import type { AccountType } from './schema.ts';

/** An account has at most this many types. */
export const mostAccountTypes = 50;

const records = recordStore<AccountType, 'account_type'>({
  resource: 'account_type',
  scope: scopedBy(() => [], mostAccountTypes),
});

/** The types that an account gives to its child accounts. An insert throws `quota_exceeded` above 50 types. */
export const accountTypes = {
  ...records,
  describe: byName,

  all: (account: AccountId): Promise<AccountType[]> => records.newest(account, mostAccountTypes),

  /** Throws `account_type_in_use` if a child account has the type. */
  delete: (type: AccountType, now: Date): Write[] => [
    ...records.delete(type, now),
    requireEmptyScope(childNoun, type.accountId, [String(type.id)], new ApiError('account_type_in_use')),
  ],
};
