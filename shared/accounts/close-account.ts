import { ApiError, invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { type Authored, revise } from '../table/revise.ts';
import type { Account, StoredAccount } from './schema.ts';

/** A closed account can be reopened for this many days. Its export is available for the same time. */
export const reopenDays = 30;

/** The text that confirms a deletion: the trimmed name, or the id if the name is blank. */
export const confirmationOf = (account: AccountId, name: string): string => name.trim() || account;

/**
 * Closes an account. Its links no longer contain its vanity domain. Throws `invalid_input` for another name, and `account_closed` if it is already
 * closed.
 */
export function closeAccount(before: StoredAccount, confirmName: string, authored: Authored): StoredAccount {
  requireOpen(before);
  if (confirmName.trim() !== confirmationOf(before.id, before.name))
    throw invalid('confirmName', 'must be the name of the account');
  const closedAt = authored.now.toISOString();
  const erasesAt = new Date(authored.now.getTime() + reopenDays * 86_400_000).toISOString();
  return revise(before, { closedAt, erasesAt, vanityDomain: null }, authored);
}

/** Reopens an account. Returns the same object if the account is open. */
export const reopenAccount = (before: StoredAccount, authored: Authored): StoredAccount =>
  revise(before, { closedAt: null, erasesAt: null }, authored);

/** Throws `account_closed` if the account is closed. */
export function requireOpen({ closedAt }: Pick<Account, 'closedAt'>): void {
  if (closedAt !== undefined) throw new ApiError('account_closed');
}
