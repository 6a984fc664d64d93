import { ApiError } from '../../errors.ts';
import type { Described } from '../../events/subject.ts';
import { normalizeEmail } from '../../formats.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { listPartition } from '../../table/keys.ts';
import { deleteItem, putIfAbsent, putIfVersion, type Write } from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { indexedMemberFields } from './indexed-fields.ts';
import { emailAcrossAccountsKey, userKey } from './keys.ts';
import { markSubscriberIndexes, updateAdministratorList } from './mark-subscriber-index.ts';
import { activeAssignee } from './rules.ts';
import type { Membership, StoredUser } from './schema.ts';

const records = recordStore<Membership, 'user'>({
  resource: 'user',
  noun: 'MEMBER',
  indexedFields: indexedMemberFields,
});

/** The members of an account, by user id. The administrators also have their own list. */
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

/** The label of a user in events: the name, or the email if the user has no name (for example, when invited). */
const describe = ({ name, email }: Pick<Membership, 'name' | 'email'>): Described => ({
  label: name ?? email,
});

/** Returns every member, oldest first. Reads an eventually consistent index. */
export async function readAllMembers(account: AccountId): Promise<Membership[]> {
  const items = await queryItems({ partition: listPartition(account, 'MEMBER'), index: 'list' });
  return items.map((item) => recordOf<Membership>(item));
}

interface UserAddress {
  id: number;
  home: AccountId;
}

/** Users. A write that changes notification rules also marks the subscriber index of the affected accounts. */
export const users = {
  subject: 'user' as const,
  describe,

  async find({ home, id }: UserAddress): Promise<StoredUser | undefined> {
    const item = await getItem(userKey(home, id));
    return item && !isTombstone(item) ? recordOf<StoredUser>(item) : undefined;
  },

  /** Returns the stored user of a principal. Throws `not_authenticated` if the user was deleted. */
  async self(address: UserAddress): Promise<StoredUser> {
    const user = await this.find(address);
    if (!user) throw new ApiError('not_authenticated');
    return user;
  },

  /** Searches all accounts for the user with this email, because a login request contains no account id. */
  async addressByEmailAcrossAccounts(email: string): Promise<UserAddress | undefined> {
    const item = await getItem(emailAcrossAccountsKey(normalizeEmail(email)));
    return item && !isTombstone(item) ? recordOf<UserAddress>(item) : undefined;
  },

  /** Returns the user with this email, in any account. */
  async findByEmailAcrossAccounts(email: string): Promise<StoredUser | undefined> {
    const address = await this.addressByEmailAcrossAccounts(email);
    return address && this.find(address);
  },

  /** Throws `email_exists` if a user in any account has the email. */
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
   * Compares If-Match only with `shown`. An endpoint that returns the version of the user passes this version as
   * `shown`. Other endpoints return the version of the membership and omit `shown`.
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

/** Returns the member with this decimal id or email, active or not. Returns undefined if there is no such member. */
export async function findMemberByReference(
  account: AccountId,
  name: string,
): Promise<Membership | undefined> {
  const id = asRecordId(name) ?? (await users.addressByEmailAcrossAccounts(name))?.id;
  return id === undefined ? undefined : memberships.find(account, id);
}

/** Returns the active member with this id or email. Throws `user_unknown`. */
export const requireAssignee = async (account: AccountId, name: string): Promise<Membership> =>
  activeAssignee(await findMemberByReference(account, name));
