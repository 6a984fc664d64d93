import { ApiError } from '../../errors.ts';
import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { listPartition } from '../../table/keys.ts';
import { deleteItem, putIfAbsent, putIfVersion, type Write } from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { emailAcrossAccountsKey, userKey } from './keys.ts';
import { markSubscriberIndexes, updateAdministratorList } from './mark-subscriber-index.ts';
import { activeAssignee, normalizeEmail } from './rules.ts';
import type { Membership, StoredUser } from './schema.ts';

const records = recordStore<Membership, 'user'>({ noun: 'MEMBER', subject: 'user' });

/** The members of an account; a membership's id is its user's. Administrators are on a list of their own beside it. */
export const memberships = {
  ...records,

  insert: (membership: Membership): Write[] => [
    ...records.insert(membership),
    ...updateAdministratorList(undefined, membership),
  ],

  replace: (before: Membership, after: Membership): Write[] => [
    ...records.replace(before, after),
    ...updateAdministratorList(before, after),
  ],

  hardDelete: (membership: Membership): Write[] => [
    ...records.hardDelete(membership),
    ...updateAdministratorList(membership, undefined),
  ],
};

/** How events name a user: by what the account may know of it, which before an invitation is accepted is no name. */
const describe = ({ name, email }: Pick<Membership, 'name' | 'email'>): Described => ({
  label: name ?? email,
});

/** Every member of an account, the oldest first, however many; an index that may be a moment behind. */
export async function everyMember(account: AccountId): Promise<Membership[]> {
  const items = await queryItems({ partition: listPartition(account, 'MEMBER'), index: 'list' });
  return items.map((item) => recordOf<Membership>(item));
}

/** Where a user is: its id and the account where it was made. */
interface UserAddress {
  id: number;
  home: AccountId;
}

/**
 * People, each stored in the account where it was made. Where what is written changes what a user wants to hear of in an
 * account, it says so to that account's audiences.
 */
export const users = {
  subject: 'user' as const,
  describe,

  async find({ home, id }: UserAddress): Promise<StoredUser | undefined> {
    const item = await getItem(userKey(home, id));
    return item && !isTombstone(item) ? recordOf<StoredUser>(item) : undefined;
  },

  /** The principal as it is stored. Throws `not_authenticated` where it is gone. */
  async self(address: UserAddress): Promise<StoredUser> {
    const user = await this.find(address);
    if (!user) throw new ApiError('not_authenticated');
    return user;
  },

  /** Where the user with this email is. Crosses accounts: a login has an email and no account. */
  async addressByEmailAcrossAccounts(email: string): Promise<UserAddress | undefined> {
    const item = await getItem(emailAcrossAccountsKey(normalizeEmail(email)));
    return item && !isTombstone(item) ? recordOf<UserAddress>(item) : undefined;
  },

  /** Throws `email_exists` when the email is taken, in whatever account. */
  insert(user: StoredUser): Write[] {
    const home = user.home;
    return [
      putIfAbsent(
        { ...emailAcrossAccountsKey(user.email), type: 'email', id: user.id, home },
        new ApiError('email_exists'),
      ),
      putIfAbsent({ ...userKey(home, user.id), type: 'user', ...user }),
      ...markSubscriberIndexes(undefined, user),
    ];
  },

  /** Leaves a tombstone, and frees the email for somebody else. */
  delete(user: StoredUser, now: Date): Write[] {
    const key = userKey(user.home, user.id);
    const tombstone = { ...key, id: user.id, deletedAt: now.toISOString() };
    const gone = { ...user, accountIds: [], version: user.version + 1, updatedAt: tombstone.deletedAt };
    return [
      putIfVersion(tombstone, user.version),
      deleteItem(emailAcrossAccountsKey(user.email)),
      ...markSubscriberIndexes(user, gone),
    ];
  },

  /**
   * Clients see the version of the membership, so that If-Match is not compared with this write, except where an
   * endpoint shows the version of the user itself and passes it as `shown`.
   */
  replace(before: StoredUser, after: StoredUser, shown?: number): Write[] {
    if (before === after) return [];
    const item = { ...userKey(after.home, after.id), type: 'user', ...after };
    return [
      { ...putIfVersion(item, before.version), basedOn: shown },
      ...markSubscriberIndexes(before, after),
    ];
  },
};

/** The member that a text names, by decimal id or by email, active or not; undefined where the account has none. */
export async function anyMemberNamed(account: AccountId, name: string): Promise<Membership | undefined> {
  const id = asRecordId(name) ?? (await users.addressByEmailAcrossAccounts(name))?.id;
  return id === undefined ? undefined : memberships.find(account, id);
}

/** The active member that `assignedTo` names. Throws `user_unknown`, whether the user exists elsewhere or not. */
export const assigneeNamed = async (account: AccountId, name: string): Promise<Membership> =>
  activeAssignee(await anyMemberNamed(account, name));
