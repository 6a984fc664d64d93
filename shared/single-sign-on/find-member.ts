import { domainOfEmail } from '../accounts/must-sign-on.ts';
import type { StoredAccount } from '../accounts/schema.ts';
import { domainHolders } from '../domains/store.ts';
import { ApiError } from '../errors.ts';
import { created } from '../events/emit.ts';
import type { Effects } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import { type StoredIdentity, sameIdentity } from '../people/identities/store.ts';
import { acceptInvitation } from '../people/users/accept-invitation.ts';
import { mustBeInvited } from '../people/users/invite-user.ts';
import { withinUserLimit } from '../people/users/limit-users.ts';
import { memberForEvents, newMembership, newUser } from '../people/users/make-user.ts';
import { presentInvitationOf } from '../people/users/password-tokens.ts';
import { hasAccepted, isActiveMember } from '../people/users/rules.ts';
import type { InvitedUser } from '../people/users/schema.ts';
import type { Member } from '../people/users/show-user.ts';
import { memberships, users } from '../people/users/store.ts';
import { authoredBy, revise } from '../table/revise.ts';
import type { ProviderUser, StoredSsoConnection } from './schema.ts';

/** The member that a user of the provider is, and how the stored member changes. */
export interface FoundMember extends Effects {
  /** The member as stored before the sign-in. Undefined for a new member. */
  before?: Member;
  member: Member;
  /** True if `writes` store the membership, because the sign-in accepts an invitation. The next sign-in maps roles. */
  accepts?: true;
}

export interface SignOnContext {
  connection: StoredSsoConnection;
  accountRecord: StoredAccount;
  user: ProviderUser;
  now: Date;
}

const refused = (message: string) => new ApiError('sign_on_not_allowed', { message });

/** Returns the member of a stored identity, active or not. The membership must still contain the identity. */
export async function linkedMember(
  account: AccountId,
  stored: StoredIdentity | undefined,
): Promise<Member | undefined> {
  const address = stored && (await users.addressByEmailAcrossAccounts(stored.email));
  if (!stored || address?.id !== stored.userId) return undefined;
  const [user, membership] = await Promise.all([users.find(address), memberships.find(account, address.id)]);
  return user && membership && sameIdentity(membership.identity, stored) ? { user, membership } : undefined;
}

/**
 * Returns the member that is linked to a user of the provider. For a first sign-in, links the member of an invitation's
 * token, or the member with the verified address, or creates a member. Throws `sign_on_not_allowed`, and `token_invalid`
 * and `password_required` for an invitation.
 */
export async function findSignOnMember(
  context: SignOnContext,
  linked: Member | undefined,
  invitationToken: string | undefined,
): Promise<FoundMember> {
  // A person who accepted another account first has to accept this account with the mailed token of its invitation.
  if (linked && !linked.membership.invited) {
    requireActive(linked);
    return { before: linked, member: linked, writes: [], events: [] };
  }
  if (invitationToken !== undefined) return byInvitation(context, invitationToken);
  return byAddress(context, await requireProvedAddress(context));
}

function requireActive({ membership }: Member): void {
  if (!membership.active) throw refused('This member is not active. Ask an administrator of the account.');
}

/** Accepts an invitation with its mailed token, which proves the mailbox, so the provider's address does not matter. */
async function byInvitation({ connection, user, now }: SignOnContext, token: string): Promise<FoundMember> {
  const { member: invited, use } = await presentInvitationOf(token, connection.accountId, now);
  requireActive(invited);
  requireSameUser(invited, user);
  if (invited.membership.invited) {
    const { issuer, subject } = user;
    const accepted = await acceptInvitation(invited, undefined, now, { issuer, subject });
    const { member, writes, events } = accepted;
    return { before: invited, member, accepts: true, writes: [...use, ...writes], events };
  }
  const accepted = revise(invited.user, { accepted: true }, authoredBy(invited.user.email, now));
  return {
    before: invited,
    member: { ...invited, user: accepted },
    writes: [...use, ...users.replace(invited.user, accepted)],
    events: [],
  };
}

/** Returns the verified address of the user. Its domain must be one of the connection that the account holds now. */
async function requireProvedAddress({ connection, user }: SignOnContext): Promise<string> {
  const { email } = user;
  if (email === undefined)
    throw refused(
      'The identity provider sent no address with `email_verified: true` (Entra: `xms_edov`). Send the token of an invitation.',
    );
  const domain = domainOfEmail(email);
  const isProved =
    connection.domains.includes(domain) && (await domainHolders.find(domain))?.home === connection.accountId;
  if (!isProved)
    throw refused('The account has not proved the domain of your address. Send the token of an invitation.');
  return email;
}

async function byAddress(context: SignOnContext, email: string): Promise<FoundMember> {
  const { connection, user } = context;
  const account = connection.accountId;
  const known = await users.findInvitedByEmailAcrossAccounts(email);
  const membership = known && (await memberships.find(account, known.id));
  const holds = domainHolders.isHolder({ domain: domainOfEmail(email), accountId: account });
  if (known && membership && isActiveMember(membership)) {
    const before = { user: known, membership };
    requireSameUser(before, user);
    // The holder of the domain also controls its mailboxes, so the sign-in accepts like a mailed token.
    const accepted = hasAccepted(known)
      ? known
      : revise(known, { accepted: true }, authoredBy(email, context.now));
    const member = { user: accepted, membership };
    return { before, member, writes: [holds, ...users.replace(known, accepted)], events: [] };
  }
  if (known && membership) requireActive({ user: known, membership });
  if (known && (membership || mustBeInvited(known)))
    throw refused(
      'You already use this service with another account. Send the token of an invitation to this account.',
    );
  if (!connection.provisioning)
    throw refused('You are not a member of this account. Ask an administrator to invite you.');
  const created = await createSignOnMember(context, email, known);
  return { ...created, writes: [...created.writes, holds] };
}

/** Another user of the provider with the same address may be another person, who got the address later. */
function requireSameUser({ membership }: Member, { issuer, subject }: ProviderUser): void {
  const { identity } = membership;
  if (identity?.issuer === issuer && !sameIdentity(identity, { issuer, subject }))
    throw refused(
      'This member is linked to another user of the identity provider. An administrator can remove the link.',
    );
}

/** Creates the member of a verified address, without a password and without an invitation. */
async function createSignOnMember(
  { connection, accountRecord, user, now }: SignOnContext,
  email: string,
  known: InvitedUser | undefined,
): Promise<FoundMember> {
  const account = connection.accountId;
  const origin = { account, ...authoredBy(email, now) };
  const person = known
    ? revise(known, { accountIds: [account], accepted: true }, origin)
    : { ...newUser(email, origin), accepted: true };
  const membership = newMembership(person, user.name === undefined ? {} : { name: user.name }, origin);
  return {
    member: { user: person, membership },
    writes: [
      ...(known ? users.replace(known, person) : users.insert(person, 'conflict')),
      ...(await withinUserLimit(account, accountRecord.limits)),
    ],
    events: created(users, 'user_created', memberForEvents(membership)),
  };
}
