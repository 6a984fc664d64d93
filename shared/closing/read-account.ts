import { accountKey } from '../accounts/keys.ts';
import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import { childAccounts } from '../child-accounts/children.ts';
import { ApiError, notFound } from '../errors.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import { isTombstone } from '../table/item.ts';
import type { Write } from '../table/operations.ts';
import { getItems } from '../table/read.ts';

/**
 * Returns the account in a path for its deletion or reopening: the account of the caller, or one of its child accounts.
 * Throws `not_found` for any other account.
 */
export async function ownOrChildAccount(caller: AccountId, id: string): Promise<StoredAccount> {
  const account = asAccountId(id);
  if (!account) throw notFound('account', id);
  const record = await accounts.get(account);
  if (record.id !== caller && record.parentAccountId !== caller) throw notFound('account', id);
  return record;
}

/**
 * Throws `account_has_children` if the account has a child account that is not deleted. Returns a write that fails if the
 * account gets another child.
 */
export async function requireNoOpenChildren(account: AccountId): Promise<Write> {
  const links = await childAccounts.links(account);
  const children = await getItems(links.map(({ childId }) => accountKey(childId)));
  if (children.some((child) => child && !isTombstone(child) && child.closedAt === undefined))
    throw new ApiError('account_has_children');
  return childAccounts.unchanged(account, links);
}
