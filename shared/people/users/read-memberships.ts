import { accountKey } from '../../accounts/keys.ts';
import type { AccountEntry, AccountInvitation } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { recordKey } from '../../table/keys.ts';
import { getItems } from '../../table/read.ts';
import type { Roles } from '../roles/schema.ts';
import { rolesKey } from '../roles/store.ts';
import { endedFor, isActiveMember } from './rules.ts';
import type { Membership, StoredUser } from './schema.ts';

export interface Memberships {
  accounts: AccountEntry[];
  invitations: AccountInvitation[];
  /** The membership in the first account in which the user is active. */
  primary: Membership | undefined;
  rolesOf: (accountId: AccountId) => Roles | undefined;
}

/**
 * Returns the accounts in which a user is active and these open invitations, with names and roles, in one read. If
 * `sessionBeganAt` is given, leaves out the accounts that have ended this session.
 */
export async function readMemberships(
  user: StoredUser,
  {
    invitations = [],
    sessionBeganAt,
  }: { invitations?: readonly AccountId[]; sessionBeganAt?: string | undefined } = {},
): Promise<Memberships> {
  const ids = [...user.accountIds, ...invitations];
  const items = await getItems([
    ...ids.map((id) => recordKey(id, 'MEMBER', user.id)),
    ...ids.map((id) => accountKey(id)),
    ...ids.map((id) => rolesKey(id)),
  ]);
  const found = items
    .slice(0, ids.length)
    .flatMap((item) => (item && !isTombstone(item) ? [recordOf<Membership>(item)] : []));
  const nameOf = (id: AccountId) => String(items[ids.length + ids.indexOf(id)]?.name ?? '');
  const members = found.filter((one) => isActiveMember(one) && !endedFor(one, sessionBeganAt));
  const [primary] = members;
  return {
    accounts: members.map((member) => ({
      accountId: member.accountId,
      accountName: nameOf(member.accountId),
      usersPrimaryAccount: member === primary,
      accountAdmin: member.accountAdmin,
    })),
    invitations: found
      .filter(({ active, invited }) => active && invited)
      .map(({ accountId, accountAdmin, createdBy, createdAt }) => ({
        accountId,
        accountName: nameOf(accountId),
        accountAdmin,
        invitedBy: createdBy,
        invitedAt: createdAt,
      })),
    primary,
    rolesOf: (id) => {
      const item = items[2 * ids.length + ids.indexOf(id)];
      return item && recordOf<Roles>(item);
    },
  };
}
