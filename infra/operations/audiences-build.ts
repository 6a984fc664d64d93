import '../quiet-sdk.ts';
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
import { command, print } from './command.ts';
import { scanTable, writeDeadline } from './scan-table.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

await command(
  {
    name: 'audiences:build',
    summary: `Builds the index of notification subscribers for every account, from the rules of all users. Run it once
if the table is older than this index. The command can run while the service runs, and can be repeated.`,
    options: { json: { type: 'flag', help: 'prints the counts as JSON' }, ...serviceOption },
    notes: [serviceNote, 'The command reads the whole table once and prints how many users it indexed.'],
  },
  async ({ json, stage }) => {
    await useTableOf(stage);
    const built = await buildSubscriberIndex();
    const { users, administrators } = built;
    print(
      built,
      json ? undefined : [`${users} users with their own rules, ${administrators} administrators.`],
    );
  },
);

/**
 * Builds the subscriber index of every account from its users and memberships. First marks each user who has
 * notification rules as changed, then updates the index of each account that has marked users. Returns the
 * number of users who have rules and the number of administrators.
 */
async function buildSubscriberIndex(): Promise<{ users: number; administrators: number }> {
  const accounts = new Set<AccountId>();
  const built = { users: 0, administrators: 0 };
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

/**
 * Marks the user as changed in each account for which the user has rules. Returns these accounts. Retries if
 * the user changed in the meantime.
 */
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

/** If the member is an administrator, adds the member to the account's list of administrators and returns true. */
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
