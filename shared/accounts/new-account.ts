import { randomBytes } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';
import { searchIndex } from '../search/search-index.ts';
import type { Authored } from '../table/revise.ts';
import type { StoredAccount } from './schema.ts';

export const mintAccountId = (): AccountId => `acc_${randomBytes(8).toString('hex')}` as AccountId;

/** Returns the record of a new account with the default settings. */
export const newAccount = (id: AccountId, name: string, { principal, now }: Authored): StoredAccount => ({
  id,
  name,
  timezone: 'UTC',
  requireCompleteApplication: false,
  version: 1,
  createdAt: now.toISOString(),
  createdBy: principal.actor.user,
  updatedAt: now.toISOString(),
  // A new account has no records, so its index contains all parts.
  ...(searchIndex.version > 0 && { indexedAdditions: searchIndex.version }),
});
