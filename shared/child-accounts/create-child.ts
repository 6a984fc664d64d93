import { mintAccountId, newAccount } from '../accounts/new-account.ts';
import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import { invalid } from '../errors.ts';
import { created } from '../events/emit.ts';
import type { Effects, EventDraft } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import { createMember, inviteMember, mustBeInvited } from '../people/users/invite-user.ts';
import { memberForEvents } from '../people/users/make-user.ts';
import type { InvitedUser } from '../people/users/schema.ts';
import { users } from '../people/users/store.ts';
import type { Static } from '../schema.ts';
import type { SignedIn } from '../security/principal.ts';
import { childAccounts, requireDepth } from './children.ts';
import { depthOf, effectiveSettings } from './effective-settings.ts';
import { limitAccount, unchangedParent, unchangedType } from './limit-account.ts';
import type { AccountType, ChildAccount, ChildAccountInput } from './schema.ts';
import { showChild } from './show-child.ts';
import { accountTypes } from './store.ts';

/** Returns the type that a request names. Throws `invalid_input` if the account has no such type. */
export async function requireType(account: AccountId, id: number): Promise<AccountType> {
  const type = await accountTypes.find(account, id);
  if (!type) throw invalid('accountTypeId', 'is not an account type of this account');
  return type;
}

interface Creation {
  body: Static<typeof ChildAccountInput>;
  principal: SignedIn;
  now: Date;
}

export interface ChildChange extends Effects {
  response: ChildAccount;
}

/** Returns the event in the logs of several accounts. */
export const inLogsOf = (accountIds: readonly AccountId[], drafts: readonly EventDraft[]): EventDraft[] =>
  accountIds.flatMap((account) => drafts.map((draft) => ({ ...draft, account })));

/**
 * Creates a child account and invites its administrator. `known` is the user with this email in any account. Throws
 * `accounts_too_deep` and `quota_exceeded`.
 */
export function createChild(
  { body, principal, now }: Creation,
  parent: StoredAccount,
  type: AccountType,
  known: InvitedUser | undefined,
): ChildChange {
  requireDepth(depthOf(parent) + 1);
  const id = mintAccountId();
  const { limits, ...settings } = effectiveSettings(parent, type, {});
  const child: StoredAccount = {
    ...newAccount(id, body.name, { principal, now }),
    parentAccountId: parent.id,
    accountTypeId: type.id,
    ...settings,
    ...(limits && { limits }),
  };
  const { name, createdAt } = child;
  const link = {
    id: mintId(now),
    accountId: parent.id,
    childId: id,
    accountTypeId: type.id,
    name,
    createdAt,
  };
  const invitation = { account: id, principal, now };
  const invited = known && mustBeInvited(known);
  const { member, writes } = invited
    ? inviteMember(known, { accountAdmin: true }, noRoles, invitation)
    : createMember({ email: body.adminEmail, accountAdmin: true }, known, noRoles, invitation, 'conflict');
  const kind = invited ? 'user_added_to_account' : 'user_created';
  return {
    response: showChild(child),
    writes: [
      ...accounts.insert(child),
      ...limitAccount(child),
      ...childAccounts.insert(link),
      ...writes,
      unchangedParent(parent),
      unchangedType(type),
    ],
    events: [
      ...inLogsOf([parent.id, id], created(accounts, 'account_created', accounts.show(child))),
      ...inLogsOf([id], created(users, kind, memberForEvents(member.membership))),
    ],
  };
}

const noRoles = { roles: {} };
