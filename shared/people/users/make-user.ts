import type { AccountId } from '../../id/account-id.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { Membership, StoredUser } from './schema.ts';

type NewUser = Pick<StoredUser, 'email'> &
  Partial<Pick<StoredUser, 'name' | 'phone' | 'imgSrc' | 'notificationPreferences'>>;

type Origin = Authored & { account: AccountId };

/** Returns a new user, who has no password yet and therefore cannot log in. */
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

export type NewMembership = Partial<
  Pick<Membership, 'active' | 'accountAdmin' | 'teamId' | 'roleIds' | 'invited'>
>;

/** Returns a new membership. It contains a copy of the user's profile for lists, unless the user is only invited. */
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

/** A member as shown in events, without role ids. */
export const memberForEvents = ({ roleIds, ...membership }: Membership) => membership;
