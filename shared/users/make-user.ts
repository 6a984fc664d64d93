import type { AccountId } from '../id/account-id.ts';
import { newRecord } from '../table/record-fields.ts';
import type { NotificationPreference } from './notification-preferences.ts';
import type { Membership, StoredUser } from './schema.ts';

interface Profile {
  name?: string;
  phone?: string;
  imgSrc?: string;
  notificationPreferences?: NotificationPreference[];
}

interface NewUser extends Profile {
  id: number;
  email: string;
  home: AccountId;
  by: string;
  now: Date;
}

/** A new person in the account where it is made. It has no password yet, and so cannot log in. */
export const newUser = ({
  id,
  email,
  home,
  by,
  now,
  name,
  phone,
  imgSrc,
  notificationPreferences = [],
}: NewUser): StoredUser => ({
  id,
  email,
  home,
  owner: home,
  name,
  phone,
  imgSrc,
  notificationPreferences,
  sessionEpoch: 0,
  accountIds: [home],
  version: 1,
  createdAt: now.toISOString(),
  createdBy: by,
  updatedAt: now.toISOString(),
});

export interface NewMembership {
  account: AccountId;
  by: string;
  now: Date;
  active?: boolean;
  accountAdmin?: boolean;
  teamId?: number;
  roleIds?: number[];
  /** Asked to join, and still to answer. */
  invited?: true;
}

/**
 * A user's membership of an account. The profile is copied so that lists of members need nothing else, but not before
 * the person has accepted.
 */
export const newMembership = (
  user: StoredUser,
  { account, by, now, ...granted }: NewMembership,
): Membership => ({
  ...newRecord({ id: user.id, account, by, now }),
  email: user.email,
  ...(granted.invited ? { invited: true } : { name: user.name, phone: user.phone, imgSrc: user.imgSrc }),
  active: granted.active ?? true,
  accountAdmin: granted.accountAdmin ?? false,
  teamId: granted.teamId,
  roleIds: granted.roleIds ?? [],
  flatPermissionsList: [],
});

/** A user as events tell of it: what it is here, by name and not by the ids of its roles. */
export const visibleMember = ({ roleIds, ...membership }: Membership) => membership;
