import type { AccountId } from '../../id/account-id.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { Membership, StoredUser } from './schema.ts';

type Origin = Authored & { account: AccountId };

/** Returns a new person, who has no password yet and therefore cannot log in. */
export function newUser(email: string, origin: Origin): StoredUser {
  const { accountId: home, ...fields } = newRecord(origin);
  return { ...fields, email, home, notificationPreferences: [], sessionEpoch: 0, accountIds: [home] };
}

/** The fields of a membership that its account sets. */
type NewMembership = Partial<Omit<Membership, 'id' | 'email' | 'flatPermissionsList'>>;

export const newMembership = (
  { id, email }: Pick<StoredUser, 'id' | 'email'>,
  { active = true, accountAdmin = false, roleIds = [], ...granted }: NewMembership,
  origin: Origin,
): Membership => ({
  ...newRecord(origin, id),
  email,
  ...granted,
  active,
  accountAdmin,
  roleIds,
  flatPermissionsList: [],
});

/**
 * A member as shown in events, without role ids. The events of teams contain their managers, and those of single sign-on the
 * linked identity.
 */
export const memberForEvents = ({
  roleIds,
  managedTeamIds,
  identity,
  sessionsEndedAt,
  ...membership
}: Membership) => membership;
