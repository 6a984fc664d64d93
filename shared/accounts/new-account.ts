import { randomBytes } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';
import type { Authored } from '../table/revise.ts';
import type { Account } from './schema.ts';

export const mintAccountId = (): AccountId => `acc_${randomBytes(8).toString('hex')}` as AccountId;

/** Returns the record of a new account with the default settings. */
export const newAccount = (id: AccountId, name: string, { principal, now }: Authored): Account => ({
  id,
  name,
  timezone: 'UTC',
  requireCompleteApplication: false,
  version: 1,
  createdAt: now.toISOString(),
  createdBy: principal.actor.user,
  updatedAt: now.toISOString(),
});
