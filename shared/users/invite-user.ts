import { created } from '../../events/announce.ts';
import type { Announcement } from '../../events/event.ts';
import type { AccountId } from '../accounts/account-id.ts';
import type { Caller } from '../auth/caller.ts';
import { grantRoles } from '../roles/grant-roles.ts';
import type { Roles } from '../roles/role.ts';
import { mintId } from '../table/mint.ts';
import type { Write } from '../table/write.ts';
import { normalizeEmail } from './email.ts';
import { newMembership, newUser, visibleMember } from './new-user.ts';
import { checkPreferences } from './notification-preference.ts';
import { issuePasswordToken } from './password-tokens.ts';
import type { UserInput } from './user.ts';
import type { Member } from './user-view.ts';
import { memberships, users } from './users.ts';

interface Circumstances {
  account: AccountId;
  caller: Caller;
  now: Date;
}

interface Invited {
  member: Member;
  /** The invitation, which sets the first password. */
  token: string;
  writes: Write[];
  events: Announcement[];
}

/**
 * A new user, its membership of the account where it is made, and its invitation. Refuses roles the caller may not
 * give, preferences for other accounts, and, when it is written, an email that is taken.
 */
export function inviteUser(input: UserInput, all: Roles, { account, caller, now }: Circumstances): Invited {
  checkPreferences(input.notificationPreferences ?? [], [account]);
  const roleIds = grantRoles(all, input.roles ?? [], caller);
  const origin = { account, by: caller.actor.user, now };
  const email = normalizeEmail(input.email);
  const made = newUser({ ...input, ...origin, id: mintId(now), email, home: account });
  const user = { ...made, invitationOpen: true } as const;
  const { active, teamId } = input;
  const membership = newMembership(user, { ...origin, active, teamId, roleIds });
  const invitation = issuePasswordToken('invitation', user, now);
  return {
    member: { user, membership },
    token: invitation.token,
    writes: [...users.insert(user), ...memberships.insert(membership), ...invitation.writes],
    events: created('user_created', 'user', visibleMember(membership)),
  };
}
