import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import { ApiError, invalid } from '../errors.ts';
import { updated } from '../events/emit.ts';
import type { AccountId } from '../id/account-id.ts';
import { activeAdministrator } from '../people/users/membership-conditions.ts';
import { isActiveMember } from '../people/users/rules.ts';
import type { Membership } from '../people/users/schema.ts';
import type { Static } from '../schema.ts';
import { readGrant } from '../security/grants.ts';
import type { SignedIn } from '../security/principal.ts';
import type { Write } from '../table/operations.ts';
import { type Revision, revise, sameValue } from '../table/revise.ts';
import { requireEmptyScope } from '../table/scope.ts';
import { childAccounts, type FoundChild, mostDepth, requireDepth } from './children.ts';
import { type ChildChange, inLogsOf } from './create-child.ts';
import { depthOf, effectiveSettings } from './effective-settings.ts';
import { childNoun } from './keys.ts';
import { limitAccount, unchangedParent, unchangedType } from './limit-account.ts';
import { renewChildren } from './renew-children.ts';
import type { AccountType, ChildAccountPermissions } from './schema.ts';
import { showChild } from './show-child.ts';
import { accountTypes } from './store.ts';

interface Change {
  principal: SignedIn;
  now: Date;
}

/** A child account with its parent and its type. */
interface TypedChild extends FoundChild {
  parent: StoredAccount;
  type: AccountType | undefined;
}

/** Reads a child account, its parent and its type. Throws `not_found` if the account is not a child. */
export async function readTypedChild(account: AccountId, id: string): Promise<TypedChild> {
  const [parent, found] = await Promise.all([accounts.get(account), childAccounts.get(account, id)]);
  const { accountTypeId } = found.link;
  const type = accountTypeId === undefined ? undefined : await accountTypes.find(account, accountTypeId);
  return { ...found, parent, type };
}

/**
 * Sets the permissions that a child account can use. Throws `permission_unknown`, `grant_exceeds_own` for a permission
 * that the parent cannot use, and `grant_exceeds_type`.
 */
export function givePermissions(
  found: TypedChild,
  { permissions }: Static<typeof ChildAccountPermissions>,
  request: Change,
): ChildChange {
  const givenPermissions = readGrant(permissions, request.principal, 'permissions');
  if (found.type && !givenPermissions.every((name) => found.type?.permissions.includes(name)))
    throw new ApiError('grant_exceeds_type');
  return changed(found, { givenPermissions }, request);
}

/** Gives a child account another type. The permissions that the parent gave directly stay in effect as far as allowed. */
export function changeType(found: TypedChild, type: AccountType, request: Change): ChildChange {
  const { link } = found;
  const change = changed({ ...found, type }, { accountTypeId: type.id }, request);
  if (link.accountTypeId === type.id) return change;
  const moved = childAccounts.replace(link, { ...link, accountTypeId: type.id });
  return { ...change, writes: [...change.writes, ...moved] };
}

function changed(
  { parent, type, child }: TypedChild,
  revision: Revision<StoredAccount>,
  { principal, now }: Change,
): ChildChange {
  const settings = effectiveSettings(parent, type, { ...child, ...withoutNull(revision) });
  const after = revise(child, { ...revision, ...settings }, { principal, now });
  if (after === child) return { response: showChild(child), writes: [], events: [] };
  const [from, to] = [accounts.show(child), accounts.show(after)];
  return {
    response: showChild(after),
    writes: [
      ...accounts.replace(child, after),
      ...limitAccount(after),
      ...(settingsDiffer(child, after) ? renewChildren(child.id, principal.actor, now) : []),
      unchangedParent(parent),
      ...(type ? [unchangedType(type)] : []),
    ],
    events: inLogsOf([child.id, parent.id], updated(accounts, 'account_permissions_updated', from, to)),
  };
}

const withoutNull = ({ givenPermissions }: Revision<StoredAccount>) =>
  givenPermissions ? { givenPermissions } : {};

const settingsDiffer = (one: StoredAccount, other: StoredAccount): boolean =>
  !sameValue([one.permissions, one.limits, one.depth], [other.permissions, other.limits, other.depth]);

/**
 * Moves a child account to the parent of its parent, or to another child of its parent. The account keeps its permissions
 * and limits as far as the new parent can use them, and has no type until the new parent sets one. A move to the parent of
 * the parent needs its consent, so the principal must be an administrator there too. Throws `invalid_input` for any other
 * account, `administrator_only` and `accounts_too_deep`.
 */
export function moveChild(
  { child, link, parent }: FoundChild & { parent: StoredAccount },
  { target, membership }: MoveTarget,
  { principal, now }: Change,
): ChildChange {
  if (!target || target.id === child.id || !isNear(parent, target))
    throw invalid(
      'parentAccountId',
      'must be the parent of the account in x-account-id, or another child of it',
    );
  const consents = target.id === parent.parentAccountId;
  if (consents && !(membership?.accountAdmin && isActiveMember(membership)))
    throw new ApiError('administrator_only', { message: onlyWithConsent });
  const depth = depthOf(target) + 1;
  requireDepth(depth);
  const { permissions: givenPermissions = [] } = child;
  const settings = effectiveSettings(target, undefined, { ...child, givenPermissions });
  const revision = { parentAccountId: target.id, accountTypeId: null, givenPermissions, ...settings };
  const after = revise(child, revision, { principal, now });
  const { accountTypeId: _, ...rest } = link;
  const drafts = updated(accounts, 'account_updated', accounts.show(child), accounts.show(after));
  return {
    response: showChild(after),
    writes: [
      ...accounts.replace(child, after),
      ...limitAccount(after),
      ...childAccounts.delete(link),
      ...childAccounts.insert({ ...rest, accountId: target.id }),
      ...renewChildren(child.id, principal.actor, now),
      ...leafAt(depth, child.id),
      unchangedParent(target),
      ...(consents ? [activeAdministrator(target.id, principal.id, 'conflict')] : []),
    ],
    events: inLogsOf([child.id, parent.id, target.id], drafts),
  };
}

/** The new parent of a moved account, and the membership of the principal in it. */
interface MoveTarget {
  target: StoredAccount | undefined;
  membership: Membership | undefined;
}

const onlyWithConsent =
  'Only an administrator of both accounts can move an account to the parent of its parent.';

/** Reports whether an account is the parent or a child of another account. */
const isNear = (account: StoredAccount, target: StoredAccount): boolean =>
  target.id === account.parentAccountId || target.parentAccountId === account.id;

/** Returns the condition that an account on the lowest level has no child accounts. */
const leafAt = (depth: number, account: AccountId): Write[] =>
  depth < mostDepth ? [] : [requireEmptyScope(childNoun, account, [], new ApiError('accounts_too_deep'))];
