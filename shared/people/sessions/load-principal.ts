import { accountKey } from '../../accounts/keys.ts';
import { mustSignOn } from '../../accounts/must-sign-on.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Credential, onlyAccountOf } from '../../security/credential.ts';
import { secretMatches } from '../../security/key-secrets.ts';
import { sessionKey } from '../../security/keys.ts';
import { withContained } from '../../security/permissions.ts';
import { principalKeyOf, type SignedIn } from '../../security/principal.ts';
import type { Impersonator } from '../../security/tokens.ts';
import { type Item, isExpired, isTombstone, recordOf } from '../../table/item.ts';
import { type Key, recordKey } from '../../table/keys.ts';
import { getItems, getNamedItems } from '../../table/read.ts';
import { apiKeyKey } from '../apikeys/keys.ts';
import { permissionsOfKey } from '../apikeys/permissions.ts';
import type { StoredApiKey } from '../apikeys/schema.ts';
import { openImpersonationsKey } from '../impersonation-records/keys.ts';
import { isOpen } from '../impersonation-records/open-impersonations.ts';
import { usablePermissions } from '../roles/account-permissions.ts';
import type { Roles } from '../roles/schema.ts';
import { rolesKey } from '../roles/store.ts';
import { userKey } from '../users/keys.ts';
import { endedFor, isActiveMember, logAccountOf, permissionsAsMember } from '../users/rules.ts';
import type { Membership, StoredUser } from '../users/schema.ts';
import type { StoredSession } from './store.ts';

interface AccountAccess {
  principal: SignedIn;
  account: StoredAccount;
}

export interface LoadedPrincipal {
  /** The stored user or API key, whether or not the credential is valid. */
  holder: Item | undefined;
  /** Returns the caller. Throws `not_authenticated` if the credential no longer belongs to an active user or key. */
  principal(): SignedIn;
  /** Returns the principal with its permissions in the account. Undefined if the principal has no access. */
  authority(): AccountAccess | undefined;
  /** Returns the accounts of a user, the primary one first if the user is active there. Empty for an API key. */
  accounts(): AccountId[];
  /** The items of the `alongside` keys. */
  alongside: Alongside<Item>;
}

/** Items that are read together with the principal. An item without a key is not read. */
interface Alongside<T> {
  /** The counter of the calls of this minute. */
  counter?: T;
  /** The last use of an API key. */
  lastUse?: T;
  /** The data keys of the account. */
  dataKeys?: T;
  /** The stored response of the request's Idempotency-Key. */
  row?: T;
  /** The marker of a single-use token that was used. */
  usedProof?: T;
}

/**
 * Reads all items for the authorization of a request in one strongly consistent read: user or API key, session,
 * membership, account, roles, and the `alongside` items. A logout, a deleted key or a changed permission therefore
 * applies to the next request.
 */
export async function loadPrincipal(
  credential: Credential,
  named: AccountId | undefined,
  now: Date,
  alongside: Alongside<Key> = {},
): Promise<LoadedPrincipal> {
  const own =
    credential.kind === 'user'
      ? userKey(credential.home, credential.id)
      : apiKeyKey(credential.home, credential.id);
  const { sessionId, impersonator } = credential;
  const account = onlyAccountOf(credential) ?? named ?? credential.home;
  const { holder, session, ...items } = await getNamedItems({
    holder: own,
    session: sessionId === undefined ? undefined : sessionKey(credential.home, sessionId),
    ...authorityKeys(account, credential.id),
    ...(impersonator && impersonatorKeys(impersonator)),
    ...alongside,
  });

  const principal = (): SignedIn => {
    if (!holder || isTombstone(holder)) throw new ApiError('not_authenticated');
    if (credential.kind === 'user') {
      const stored = live<StoredSession>(session, now);
      const user = userPrincipal(credential, recordOf(holder), stored);
      const acting = impersonatedPrincipal(user, stored, impersonator, items, now);
      return { ...acting, accountPermissions: rolesIn(items.roles)?.accountPermissions };
    }
    return keyPrincipal(
      credential,
      recordOf(holder),
      live<StoredSession>(session, now),
      now,
      rolesIn(items.roles),
    );
  };

  return {
    holder,
    principal,
    authority: () =>
      named === undefined || named === account ? authorityIn(account, principal(), items) : undefined,
    accounts: () => (credential.kind === 'user' && holder ? recordOf<StoredUser>(holder).accountIds : []),
    alongside: items,
  };
}

const rolesIn = (item: Item | undefined): Roles | undefined => item && recordOf<Roles>(item);

const authorityKeys = (account: AccountId, principalId: number) => ({
  member: recordKey(account, 'MEMBER', principalId),
  account: accountKey(account),
  roles: rolesKey(account),
});

/** The items that show whether the administrator of an impersonation still has the session and the rights. */
const impersonatorKeys = ({ id, home, sessionId, account }: Impersonator) => ({
  impersonatingUser: userKey(home, id),
  impersonatingSession: sessionKey(home, sessionId),
  impersonatingMember: recordKey(account, 'MEMBER', id),
  openImpersonations: openImpersonationsKey(account),
});

type AuthorityItems = { [N in keyof ReturnType<typeof authorityKeys>]?: Item };
type ImpersonatorItems = { [N in keyof ReturnType<typeof impersonatorKeys>]?: Item };

/**
 * Returns the principal of a session, with the impersonation if the session belongs to one. Throws `not_authenticated` if the
 * impersonation has ended: it is no longer in the list of open impersonations. It also ends with the session of the
 * administrator, and if the administrator is no longer an active administrator of the account, or must use single sign-on
 * and has not. It also ends if the user is no longer an active member, or becomes an administrator, and if the account
 * forbids impersonation.
 */
function impersonatedPrincipal(
  user: SignedIn,
  session: StoredSession | undefined,
  impersonator: Impersonator | undefined,
  items: AuthorityItems & ImpersonatorItems,
  now: Date,
): SignedIn {
  const stored = session?.impersonation;
  if (!impersonator && !stored) return user;
  const { impersonatingUser, impersonatingSession, impersonatingMember, member, account } = items;
  if (!impersonator || !session || !stored || !isOpen(items.openImpersonations, stored.id))
    throw new ApiError('not_authenticated');
  if (!impersonatingUser || isTombstone(impersonatingUser)) throw new ApiError('not_authenticated');
  const administrator = userPrincipal(
    { kind: 'user', ...impersonator },
    recordOf(impersonatingUser),
    live<StoredSession>(impersonatingSession, now),
  );
  const [acting, acted] = [impersonatingMember, member].map(activeMember);
  const settings = account && !isTombstone(account) ? recordOf<StoredAccount>(account) : undefined;
  const forbidden = !settings || settings.impersonationForbidden || mustSignOn(settings, administrator);
  if (forbidden || !acting?.accountAdmin || !acted || acted.accountAdmin)
    throw new ApiError('not_authenticated');
  return {
    ...user,
    actor: { ...user.actor, impersonatedBy: administrator.actor.user },
    // The session acts only in this account, and never for the person.
    log: impersonator.account,
    proved: false,
    factor: administrator.factor,
    provedAt: administrator.provedAt,
    impersonation: {
      ...stored,
      by: principalKeyOf(administrator),
      account: impersonator.account,
      expiresAt: session.expiresAt,
    },
  };
}

/** Returns the membership in an item, if the member is active. */
function activeMember(item: Item | undefined): Membership | undefined {
  const membership = item && !isTombstone(item) ? recordOf<Membership>(item) : undefined;
  return membership && isActiveMember(membership) ? membership : undefined;
}

function authorityIn(
  account: AccountId,
  known: SignedIn,
  { member, account: accountItem, roles }: AuthorityItems,
): AccountAccess | undefined {
  if (!accountItem || isTombstone(accountItem)) return undefined;
  if (known.kind === 'key')
    return account === known.home ? { principal: known, account: recordOf(accountItem) } : undefined;
  const membership = activeMember(member);
  if (!membership || endedFor(membership, known.sessionBeganAt)) return undefined;
  return {
    principal: memberPrincipal(known, membership, rolesIn(roles)),
    account: recordOf(accountItem),
  };
}

/**
 * The first account in which the principal is active: the principal's access to this account, and the item at the key
 * that `rowOf` returns for it.
 */
interface FirstAuthority {
  authority: AccountAccess;
  row?: { key: Key; item: Item | undefined };
}

/** Finds the first account in which the principal is active. Used if the user is not active in the home account. */
export async function findAuthority(
  accounts: readonly AccountId[],
  principal: SignedIn,
  rowOf: (account: AccountId) => Key | undefined,
): Promise<FirstAuthority | undefined> {
  const candidates = accounts.map((account) => ({
    account,
    keys: authorityKeys(account, principal.id),
    row: rowOf(account),
  }));
  const keys = candidates.flatMap(({ keys, row }) => [...Object.values(keys), ...(row ? [row] : [])]);
  const items = new Map((await getItems(keys)).map((item, n) => [keys[n], item]));
  for (const { account, keys, row } of candidates) {
    const [member, accountItem, roles] = [keys.member, keys.account, keys.roles].map((key) => items.get(key));
    const authority = authorityIn(account, principal, { member, account: accountItem, roles });
    if (authority) return { authority, row: row && { key: row, item: items.get(row) } };
  }
  return undefined;
}

const live = <R>(item: Item | undefined, now: Date): R | undefined =>
  item && !isExpired(item, now) ? recordOf<R>(item) : undefined;

function userPrincipal(
  credential: Credential,
  user: StoredUser,
  session: StoredSession | undefined,
): SignedIn {
  if (!session || session.principal !== `user:${user.id}` || session.epoch !== user.sessionEpoch)
    throw new ApiError('not_authenticated');
  if (session.account && session.account !== credential.account) throw new ApiError('not_authenticated');
  return {
    kind: 'user',
    id: user.id,
    home: credential.home,
    actor: { user: user.email, apiKey: null },
    log: logAccountOf(user),
    administrator: false,
    permissions: new Set(),
    notificationPreferences: user.notificationPreferences,
    proved: user.proved === true,
    sessionId: credential.sessionId,
    ...(session.provedAt !== null && { provedAt: session.provedAt ?? session.createdAt }),
    sessionBeganAt: session.createdAt,
    ...(session.factor && { factor: session.factor }),
    // The identity provider belongs to the account, so the session acts only in this account, and never for the person.
    ...(session.account && { signedOnTo: session.account, log: session.account, proved: false }),
    ...(session.impersonates && { impersonates: session.impersonates }),
  };
}

function keyPrincipal(
  credential: Credential,
  key: StoredApiKey,
  session: StoredSession | undefined,
  now: Date,
  roles: Roles | undefined,
): SignedIn {
  const verified =
    credential.secret === undefined
      ? session?.principal === `key:${key.id}` && session.epoch === key.sessionEpoch
      : key.apiKey === credential.apiKey && secretMatches(credential.secret, key.secretHash);
  if (!verified || (key.expiresAt && Date.parse(key.expiresAt) <= now.getTime()))
    throw new ApiError('not_authenticated');
  return {
    kind: 'key',
    id: key.id,
    home: credential.home,
    actor: { user: key.apiKey, apiKey: key.apiKey },
    log: credential.home,
    administrator: false,
    permissions: withContained(usablePermissions(permissionsOfKey(key), roles)),
    accountPermissions: roles?.accountPermissions,
    sessionId: credential.sessionId,
  };
}

function memberPrincipal(principal: SignedIn, membership: Membership, roles: Roles | undefined): SignedIn {
  return {
    ...principal,
    administrator: membership.accountAdmin,
    teamId: membership.teamId,
    permissions: permissionsAsMember(membership, roles),
    managedTeamIds: membership.managedTeamIds,
    accountPermissions: roles?.accountPermissions,
  };
}
