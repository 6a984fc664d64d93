import type { AccountId } from '../../id/account-id.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { NotificationPreference } from './notification-preferences.ts';
import type { Membership, StoredUser } from './schema.ts';

interface Profile {
  name?: string;
  phone?: string;
  imgSrc?: string;
  notificationPreferences?: NotificationPreference[];
}

interface NewUser extends Profile {
  email: string;
}

/** The account that something new belongs to, who makes it, and when. */
type Origin = Authored & { account: AccountId };

/** A new user, in the account where it is made. It has no password yet, and so cannot log in. */
export function newUser(
  { email, name, phone, imgSrc, notificationPreferences = [] }: NewUser,
  origin: Origin,
): StoredUser {
  const { accountId: home, ...fields } = newRecord(origin);
  return {
    ...fields,
    email,
    home,
    owner: home,
    name,
    phone,
    imgSrc,
    notificationPreferences,
    sessionEpoch: 0,
    accountIds: [home],
  };
}

export interface NewMembership {
  active?: boolean;
  accountAdmin?: boolean;
  teamId?: number;
  roleIds?: number[];
  /** Invited, and has not accepted yet. */
  invited?: true;
}

/**
 * A user's membership of an account. The profile is copied so that lists of members need nothing else, but not before
 * the person has accepted.
 */
export const newMembership = (user: StoredUser, granted: NewMembership, origin: Origin): Membership => ({
  ...newRecord(origin, user.id),
  email: user.email,
  ...(granted.invited ? { invited: true } : { name: user.name, phone: user.phone, imgSrc: user.imgSrc }),
  active: granted.active ?? true,
  accountAdmin: granted.accountAdmin ?? false,
  teamId: granted.teamId,
  roleIds: granted.roleIds ?? [],
  flatPermissionsList: [],
});

/** A member as events show it: without the ids of its roles, which mean nothing to whoever reads an event. */
export const memberForEvents = ({ roleIds, ...membership }: Membership) => membership;
