import type { Account } from '../accounts/account.ts';
import type { AccountId } from '../accounts/account-id.ts';
import type { StoredApiKey } from '../apikeys/api-key.ts';
import { Refusal } from '../http/errors.ts';
import type { Roles } from '../roles/role.ts';
import type { StoredSession } from '../sessions/session.ts';
import { type Item, isExpired, isTombstone, recordOf } from '../table/item.ts';
import { accountKey, apiKeyKey, type Key, recordKey, rolesKey, sessionKey, userKey } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import { logAccountOf } from '../users/log-account.ts';
import { accountsByPrimacy, isActiveMember } from '../users/standing.ts';
import type { Membership, StoredUser } from '../users/user.ts';
import type { Caller } from './caller.ts';
import type { Identity } from './identity.ts';
import { secretMatches } from './key-secret.ts';
import { allPermissions, isPermission, type Permission } from './permissions.ts';

/** What one read said about a caller and the account it named. */
export interface Authority {
  caller: Caller;
  account: Account;
}

export interface Reading {
  /** The user or API key as it is stored, whether it proves anything or not. */
  holder: Item | undefined;
  /** Who calls; `not_authenticated` where the credential stands for nobody any more. */
  caller(): Caller;
  /** The caller in the account it named; undefined where it does not belong there. */
  authority(): Authority | undefined;
  /** The accounts that a user belongs to, as `accountsByPrimacy` has them; none for a key. */
  accounts(): AccountId[];
  /** Items that were read along, in the order of their keys. */
  alongside: (Item | undefined)[];
}

/**
 * Everything that decides about a request, in one strongly consistent read: user or API key, session, membership,
 * account and roles, and `alongside` whatever else the request needs whose key it already knows. So a logout, a
 * deleted key or a changed permission counts on the very next request.
 */
export async function readAuthority(
  identity: Identity,
  named: AccountId | undefined,
  now: Date,
  alongside: readonly Key[] = [],
): Promise<Reading> {
  const own =
    identity.kind === 'user' ? userKey(identity.home, identity.id) : apiKeyKey(identity.home, identity.id);
  const account = named ?? identity.home;
  const keys: Key[] = [
    own,
    identity.sessionId === undefined ? own : sessionKey(identity.home, identity.sessionId),
    ...standingKeys(account, identity.id),
  ];
  const [holder, session, member, accountItem, roles, ...rest] = await getItems([...keys, ...alongside]);

  const caller = (): Caller => {
    if (!holder || isTombstone(holder)) throw new Refusal('not_authenticated');
    if (identity.kind === 'user')
      return userCaller(identity, recordOf(holder), live<StoredSession>(session, now));
    return keyCaller(identity, recordOf(holder), live<StoredSession>(session, now), now);
  };

  return {
    holder,
    caller,
    authority: () => authorityIn(account, caller(), [member, accountItem, roles]),
    accounts: () =>
      identity.kind === 'user' && holder ? (accountsByPrimacy(recordOf(holder)) as AccountId[]) : [],
    alongside: rest,
  };
}

/** What a caller's standing in an account follows from, as `authorityIn` takes it. */
const standingKeys = (account: AccountId, callerId: number): Key[] => [
  recordKey(account, 'MEMBER', callerId),
  accountKey(account),
  rolesKey(account),
];

function authorityIn(
  account: AccountId,
  known: Caller,
  [member, accountItem, roles]: readonly (Item | undefined)[],
): Authority | undefined {
  if (!accountItem || isTombstone(accountItem)) return undefined;
  if (known.kind === 'key')
    return account === known.home ? { caller: known, account: recordOf(accountItem) } : undefined;
  const membership = member && !isTombstone(member) ? recordOf<Membership>(member) : undefined;
  if (!membership || !isActiveMember(membership)) return undefined;
  return {
    caller: memberCaller(known, membership, roles ? recordOf<Roles>(roles) : undefined),
    account: recordOf(accountItem),
  };
}

/** A caller in the first of several accounts where it belongs, and the item of `rowOf` there. */
export interface Found {
  authority?: Authority;
  row?: { key: Key; item: Item | undefined };
}

/**
 * Finds the first of these accounts where a proven caller is an active member, in one read: what a user who names no
 * account costs where its home is not its primary account any more.
 */
export async function readAuthorityAmong(
  accounts: readonly AccountId[],
  caller: Caller,
  rowOf: (account: AccountId) => Key | undefined,
): Promise<Found> {
  const standings = accounts.map((account) => standingKeys(account, caller.id));
  const rows = accounts.map(rowOf);
  const keys = [...standings.flat(), ...rows.filter((row) => row !== undefined)];
  const items = new Map((await getItems(keys)).map((item, n) => [keys[n], item]));
  for (const [n, account] of accounts.entries()) {
    const standing = standings[n]?.map((key) => items.get(key)) ?? [];
    const authority = authorityIn(account, caller, standing);
    const row = rows[n];
    if (authority) return { authority, row: row && { key: row, item: items.get(row) } };
  }
  return {};
}

const live = <R>(item: Item | undefined, now: Date): R | undefined =>
  item && !isExpired(item, now) ? recordOf<R>(item) : undefined;

function userCaller(identity: Identity, user: StoredUser, session: StoredSession | undefined): Caller {
  // The epoch moves on when the password changes, which ends every session opened before.
  if (!session || session.principal !== `user:${user.id}` || session.epoch !== user.sessionEpoch)
    throw new Refusal('not_authenticated');
  return {
    kind: 'user',
    id: user.id,
    home: identity.home,
    actor: { user: user.email, apiKey: null },
    log: logAccountOf(user),
    administrator: false,
    permissions: new Set(),
    sessionId: identity.sessionId,
  };
}

function keyCaller(
  identity: Identity,
  key: StoredApiKey,
  session: StoredSession | undefined,
  now: Date,
): Caller {
  const proven =
    identity.secret === undefined
      ? session?.principal === `key:${key.id}` && session.epoch === key.sessionEpoch
      : key.apiKey === identity.apiKey && secretMatches(identity.secret, key.secretHash);
  if (!proven || (key.expiresAt && Date.parse(key.expiresAt) <= now.getTime()))
    throw new Refusal('not_authenticated');
  return {
    kind: 'key',
    id: key.id,
    home: identity.home,
    actor: { user: key.apiKey, apiKey: key.apiKey },
    log: identity.home,
    administrator: false,
    permissions: new Set(key.flatPermissionsList.filter(isPermission)),
    sessionId: identity.sessionId,
  };
}

/** Roles plus direct permissions; an administrator holds all. */
function memberCaller(caller: Caller, membership: Membership, roles: Roles | undefined): Caller {
  return {
    ...caller,
    administrator: membership.accountAdmin,
    permissions: membership.accountAdmin ? new Set(allPermissions) : effectivePermissions(membership, roles),
  };
}

/** What a member may do: what its roles grant and what it was granted directly. */
export function effectivePermissions(
  membership: Membership,
  roles: Roles | undefined,
): ReadonlySet<Permission> {
  const granted = membership.roleIds.flatMap((id) => roles?.roles[id]?.flatPermissionsList ?? []);
  return new Set([...granted, ...membership.flatPermissionsList].filter(isPermission));
}
