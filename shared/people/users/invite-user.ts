import { created } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Principal } from '../../security/principal.ts';
import type { Write } from '../../table/operations.ts';
import type { Authored } from '../../table/revise.ts';
import { grantRoles } from '../roles/grant-roles.ts';
import type { Roles } from '../roles/schema.ts';
import { memberForEvents, newMembership, newUser } from './make-user.ts';
import { checkPreferences, rulesFromRequest } from './notification-preferences.ts';
import { issuePasswordToken } from './password-tokens.ts';
import { normalizeEmail } from './rules.ts';
import type { UserInput } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

interface InvitationContext extends Authored {
  account: AccountId;
  principal: Principal;
}

interface Invited {
  member: Member;
  token: string;
  writes: Write[];
  events: EventDraft[];
}

/** Creates a user, its membership and its invitation. Throws for roles and preferences that are not allowed. */
export function inviteUser(input: UserInput, all: Roles, request: InvitationContext): Invited {
  const { account, principal, now } = request;
  const notificationPreferences = rulesFromRequest(input.notificationPreferences ?? []);
  checkPreferences(notificationPreferences, [account]);
  const roleIds = grantRoles(all, input.roles ?? [], principal);
  const email = normalizeEmail(input.email);
  const made = newUser({ ...input, email, notificationPreferences }, request);
  const user = { ...made, invitationOpen: true } as const;
  const { active, teamId } = input;
  const membership = newMembership(user, { active, teamId, roleIds }, request);
  const invitation = issuePasswordToken('invitation', user, now);
  return {
    member: { user, membership },
    token: invitation.token,
    writes: [...users.insert(user), ...memberships.insert(membership), ...invitation.writes],
    events: created(users, 'user_created', memberForEvents(membership)),
  };
}
