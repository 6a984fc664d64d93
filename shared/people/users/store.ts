import { ApiError } from '../../errors.ts';
import type { Described } from '../../events/subject.ts';
import { normalizeEmail } from '../../formats.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import { type Item, isTombstone, recordOf } from '../../table/item.ts';
import { listPartition, recordKey } from '../../table/keys.ts';
import {
  checkAt,
  deleteItem,
  putIfAbsent,
  putIfVersion,
  putItem,
  type TransactItem,
  type Write,
} from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { sameValue } from '../../table/revise.ts';
import { indexedMemberFields } from './indexed-fields.ts';
import {
  emailAcrossAccountsKey,
  factorsKey,
  invitationsKey,
  passkeyHolderAcrossAccountsKey,
  subscriberPartition,
  userKey,
} from './keys.ts';
import { markSubscriberIndexes, updateAdministratorList } from './mark-subscriber-index.ts';
import { activeAssignee, isActiveMember } from './rules.ts';
import type { InvitedUser, Membership, StoredUser } from './schema.ts';

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

  /**
   * Replaces the managed teams of a member. Only the version of the membership changes, because a user in a response does not
   * contain these teams. Fails with a conflict if the membership has changed.
   */
  setManagedTeams: ({ accountId, id, version }: Membership, managedTeamIds: readonly number[]): Write => {
    const isEmpty = managedTeamIds.length === 0;
    return {
      operation: {
        Update: {
          Key: recordKey(accountId, records.noun, id),
          UpdateExpression: isEmpty
            ? 'SET #version = :next REMOVE #managed'
            : 'SET #version = :next, #managed = :managed',
          ConditionExpression: '#version = :version',
          ExpressionAttributeNames: { '#version': 'version', '#managed': 'managedTeamIds' },
          ExpressionAttributeValues: {
            ':version': version,
            ':next': version + 1,
            ...(!isEmpty && { ':managed': managedTeamIds }),
          },
        },
      },
      otherwise: 'conflict',
      change: { type: 'user', id, action: 'updated' },
    };
  },
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

/** Reports whether a member is the only active administrator of an account. */
export async function isOnlyAdministrator(account: AccountId, id: number): Promise<boolean> {
  const listed = await queryItems({ partition: subscriberPartition(account, 'ADMINISTRATORS') });
  const ids = listed.map(({ sk }) => Number(sk)).filter((other) => other !== id);
  const others = await Promise.all(ids.map((other) => memberships.find(account, other)));
  return !others.some((other) => other?.accountAdmin && isActiveMember(other));
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

  /** Returns the user with this id, in any account, if the user has a passkey. */
  async findByPasskeyAcrossAccounts(id: number): Promise<StoredUser | undefined> {
    const item = await getItem(passkeyHolderAcrossAccountsKey(id));
    return item && this.find(recordOf<UserAddress>(item));
  },

  /** Returns the user with this email, in any account. */
  async findByEmailAcrossAccounts(email: string): Promise<StoredUser | undefined> {
    const address = await this.addressByEmailAcrossAccounts(email);
    return address && this.find(address);
  },

  /**
   * Adds the open invitations to a person. Every change of them also changes the version of the person. So read the person
   * first: if the invitations change meanwhile, the change of the person conflicts.
   */
  async withInvitations(user: StoredUser): Promise<InvitedUser> {
    const stored = await this.storedInvitations(user);
    return { ...user, invitations: invitationsIn(user, stored) };
  },

  /** Returns the accounts in the item of a person's open invitations. */
  async storedInvitations({ home, id }: UserAddress): Promise<AccountId[]> {
    const item = await getItem(invitationsKey(home, id));
    return item ? recordOf<OpenInvitations>(item).accounts : [];
  },

  /** Returns the user with this email, in any account, with the open invitations. */
  async findInvitedByEmailAcrossAccounts(email: string): Promise<InvitedUser | undefined> {
    const user = await this.findByEmailAcrossAccounts(email);
    return user && this.withInvitations(user);
  },

  /** Throws `otherwise` if a user in any account has the email. Default `email_exists`. */
  insert(user: StoredUser, otherwise: TransactItem['otherwise'] = new ApiError('email_exists')): Write[] {
    const home = user.home;
    return [
      putIfAbsent({ ...emailAcrossAccountsKey(user.email), type: 'email', id: user.id, home }, otherwise),
      putIfAbsent(userItem(user)),
      ...markSubscriberIndexes(undefined, user),
    ];
  },

  /** Fails with a conflict if another request has changed or deleted the user. */
  unchanged: ({ home, id, version }: StoredUser): Write => checkAt(userKey(home, id), version),

  delete(user: InvitedUser, now: Date): Write[] {
    const key = userKey(user.home, user.id);
    const tombstone = { ...key, id: user.id, deletedAt: now.toISOString() };
    const gone = { ...user, accountIds: [], version: user.version + 1, updatedAt: tombstone.deletedAt };
    return [
      putIfVersion(tombstone, user.version),
      deleteItem(emailAcrossAccountsKey(user.email)),
      ...invitationWrites(user, []),
      deleteItem(factorsKey(user.home, user.id)),
      ...passkeyHolderWrites(user, { hasPasskey: undefined }),
      ...markSubscriberIndexes(user, gone),
    ];
  },

  /**
   * Also stores the invitations of an `InvitedUser`. Compares If-Match only with `shown`. An endpoint that returns the
   * version of the user passes this version as `shown`. Other endpoints return the version of the membership and omit
   * `shown`.
   */
  replace(before: StoredUser, after: StoredUser, shown?: number): Write[] {
    if (before === after) return [];
    return [
      { ...putIfVersion(userItem(after), before.version), basedOn: shown },
      ...(hasInvitations(before) && hasInvitations(after) ? invitationWrites(before, after.invitations) : []),
      ...passkeyHolderWrites(before, after),
      ...markSubscriberIndexes(before, after),
    ];
  },
};

/** Returns the writes that add or remove the item that leads from the passkeys of a person to the person. */
export function passkeyHolderWrites(
  { id, home, hasPasskey: had }: Pick<StoredUser, 'id' | 'home' | 'hasPasskey'>,
  { hasPasskey: has }: Pick<StoredUser, 'hasPasskey'>,
): Write[] {
  if (had === has) return [];
  const key = passkeyHolderAcrossAccountsKey(id);
  return [has ? putItem({ ...key, type: 'passkey-holder', id, home }) : deleteItem(key)];
}

/** The item of a person's open invitations. */
export interface OpenInvitations {
  accounts: AccountId[];
}

/** Returns all open invitations of a person. An earlier version stored them in the person. */
export const invitationsIn = (
  { invitedTo = [] }: Pick<StoredUser, 'invitedTo'>,
  stored: readonly AccountId[],
): AccountId[] => [...new Set([...invitedTo, ...stored])];

const hasInvitations = (user: StoredUser | InvitedUser): user is InvitedUser => 'invitations' in user;

/** The item of a person. If the invitations are known, they are stored only in their own item. */
export function userItem(user: StoredUser | InvitedUser): Item {
  const key = { ...userKey(user.home, user.id), type: 'user' };
  if (!hasInvitations(user)) return { ...key, ...user };
  const { invitations: _, invitedTo: __, ...person } = user;
  return { ...key, ...person };
}

/**
 * Returns the writes that replace the invitations of a person, who is stored in `home`. They have no condition of their
 * own, because the same transaction changes the version of the person.
 */
export function invitationWrites(
  { home, id, invitations, invitedTo }: InvitedUser,
  accounts: readonly AccountId[],
): Write[] {
  if (!invitedTo && sameValue(invitations, accounts)) return [];
  const key = invitationsKey(home, id);
  return [accounts.length > 0 ? putItem({ ...key, type: 'open-invitations', accounts }) : deleteItem(key)];
}

/** Returns the member with this decimal id or email, active or not. Returns undefined if there is no such member. */
export async function findMemberByReference(
  account: AccountId,
  name: string,
): Promise<Membership | undefined> {
  const id = asRecordId(name) ?? (await users.addressByEmailAcrossAccounts(name))?.id;
  return id === undefined ? undefined : memberships.find(account, id);
}

/** Returns the active member with this id or email, which a field contains. Throws `user_unknown`. */
export const requireAssignee = async (
  account: AccountId,
  name: string,
  field = 'assignedTo',
): Promise<Membership> => activeAssignee(await findMemberByReference(account, name), field);
