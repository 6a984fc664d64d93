import type { AccountId } from '../../shared/id/account-id.ts';
import { rewriteSubscriberIndex } from '../../shared/messaging/subscriber-index/rewrite-subscriber-index.ts';
import { userKey } from '../../shared/people/users/keys.ts';
import {
  markSubscriberIndex,
  updateAdministratorList,
} from '../../shared/people/users/mark-subscriber-index.ts';
import { ownRules } from '../../shared/people/users/own-rules.ts';
import type { Membership, StoredUser } from '../../shared/people/users/schema.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import { recordOf } from '../../shared/table/item.ts';
import { checkAt } from '../../shared/table/operations.ts';
import { transact, VersionConflict } from '../../shared/table/transact.ts';
import { scanTable, writeDeadline } from './scan-table.ts';

/** What was looked at: users with rules of their own, and administrators. */
interface Built {
  users: number;
  administrators: number;
}

/**
 * Makes the audiences of every account what users and memberships say, also in a table that has none. It marks whoever has
 * rules, as a change of them would, and rewrites what is marked: it may run at any time, and again.
 */
export async function buildSubscriberIndex(): Promise<Built> {
  const accounts = new Set<AccountId>();
  const built: Built = { users: 0, administrators: 0 };
  for await (const items of scanTable('Items read', ['user', 'member']))
    for (const item of items)
      if (item.type === 'member') {
        if (await listAdministrator(recordOf<Membership>(item))) built.administrators += 1;
      } else {
        const marked = await mark(recordOf<StoredUser>(item));
        if (marked.length > 0) built.users += 1;
        for (const account of marked) accounts.add(account);
      }
  for (const account of accounts) await rewriteSubscriberIndex(account, Number.POSITIVE_INFINITY);
  return built;
}

/** Marks a user in every account where it has rules, on the condition that these are still its rules. */
async function mark(user: StoredUser): Promise<AccountId[]> {
  const accounts = user.accountIds.filter((account) => ownRules(user, account).size > 0);
  if (accounts.length === 0) return [];
  const unchanged = checkAt(userKey(user.home, user.id), user.version);
  try {
    await transact(
      [unchanged, ...accounts.flatMap((account) => markSubscriberIndex(account, user))],
      writeDeadline(),
    );
    return accounts;
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    const now = await users.find(user);
    return now ? mark(now) : [];
  }
}

/** Puts an administrator on its account's list, on the condition that it is one; whether it is. */
async function listAdministrator(membership: Membership): Promise<boolean> {
  if (!membership.accountAdmin) return false;
  try {
    const writes = updateAdministratorList(undefined, membership);
    await transact([memberships.unchanged(membership), ...writes], writeDeadline());
    return true;
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    const now = await memberships.find(membership.accountId, membership.id);
    return now ? listAdministrator(now) : false;
  }
}
