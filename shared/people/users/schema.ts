import { AccountEntry } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import {
  array,
  boolean,
  credential,
  dateTime,
  email,
  integer,
  nameText,
  nullable,
  object,
  optional,
  recordId,
  type Static,
  string,
  webAddress,
} from '../../schema.ts';
import type { Versioned } from '../../table/record-fields.ts';
import {
  type NotificationPreference,
  NotificationPreferencesInput,
  PreferencesByAccount,
} from './notification-preferences.ts';

const profile = {
  name: nameText({ minLength: 0, examples: ['Grace Hopper'] }),
  phone: string({ maxLength: 64, examples: ['+1 415 555 0134'] }),
  imgSrc: webAddress(),
};

const listed = {
  id: recordId(),
  email: email({ examples: ['grace@example.com'] }),
  name: optional(profile.name),
  active: boolean({ description: 'In the named account.' }),
  invited: boolean({
    description:
      'Asked to join the named account, and still to answer: until then the account sees of the person no more than ' +
      'its email, and the membership grants nothing.',
  }),
  teamId: optional(recordId()),
  phone: optional(profile.phone),
  imgSrc: optional(profile.imgSrc),
  version: integer({
    description: 'Of the membership in the named account; also the ETag.',
    examples: [1],
  }),
  createdBy: optional(string({ examples: ['grace@example.com'] })),
  updatedBy: optional(string({ examples: ['grace@example.com'] })),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  flatRolesList: array(string({ examples: ['Sales agent'] }), { description: 'In the named account.' }),
  flatPermissionsList: array(string({ examples: ['readLeads'] }), {
    description: 'In the named account: roles and direct ones together.',
  }),
};

/** A user as a list shows it. */
export const ListedUser = object({ ...listed, accountAdmin: boolean() });
export type ListedUser = Static<typeof ListedUser>;

/** A user as an account sees it. Interface, "User". */
export const User = object({
  ...listed,
  notificationPreferences: PreferencesByAccount,
  accounts: array(AccountEntry, { description: 'The named account; every account for the user itself.' }),
  token: optional(
    credential({
      description: 'An invitation, shown once: POST /auth/password-reset takes it within 72 hours.',
      examples: ['vB4nKwZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWz'],
    }),
  ),
});
export type User = Static<typeof User>;

export const UserInput = object({
  email: email({ examples: ['grace@example.com'] }),
  name: optional(profile.name),
  teamId: optional(recordId()),
  phone: optional(profile.phone),
  imgSrc: optional(profile.imgSrc),
  active: optional(boolean({ default: true })),
  notificationPreferences: optional(NotificationPreferencesInput),
  roles: optional(
    array(string({ maxLength: 100, examples: ['Sales agent'] }), {
      maxItems: 100,
      description: 'Names of roles.',
    }),
  ),
});
export type UserInput = Static<typeof UserInput>;

export const UserPatch = object({
  name: optional(nullable(profile.name)),
  phone: optional(nullable(profile.phone)),
  imgSrc: optional(nullable(profile.imgSrc)),
  active: optional(boolean()),
  teamId: optional(nullable(recordId())),
  accountAdmin: optional(boolean()),
});
export type UserPatch = Static<typeof UserPatch>;

export const UserParams = object({ email: string({ maxLength: 254, examples: ['grace@example.com'] }) });

/** 12 characters or more, and few enough to hash. */
export const Password = string({ minLength: 12, maxLength: 256, examples: ['correct horse battery staple'] });

/** A person, stored in the account where it was made. What it may do lies in its memberships. */
export interface StoredUser {
  id: number;
  email: string;
  /** The account where the user was made, and where it is stored. */
  home: AccountId;
  /** The account whose administrators may change who the user is: its home, until the membership there ends. */
  owner?: AccountId;
  name?: string;
  phone?: string;
  imgSrc?: string;
  notificationPreferences: NotificationPreference[];
  /** A PHC string; absent until an invitation was taken up. */
  passwordHash?: string;
  /** Moves on with every password; sessions of an earlier epoch have ended. */
  sessionEpoch: number;
  /** Every account that the user belongs to. */
  accountIds: AccountId[];
  /** Accounts whose invitations the user has neither accepted nor declined yet. */
  invitedTo?: AccountId[];
  /**
   * The invitation that the home account handed out may still set the first password. Gone for good once there is a
   * password, the user was deactivated, or another account invited it.
   */
  invitationOpen?: true;
  version: number;
  createdAt: string;
  createdBy: string;
  updatedAt: string;
  updatedBy?: string;
}

/** A user in an account: what it is called there, and what it may do. Its id is the user's. */
export interface Membership extends Versioned {
  id: number;
  email: string;
  name?: string;
  phone?: string;
  imgSrc?: string;
  active: boolean;
  /** Invited, and has not accepted yet; absent from then on. */
  invited?: true;
  accountAdmin: boolean;
  teamId?: number;
  roleIds: number[];
  /** Permissions granted directly, beside those of the roles. */
  flatPermissionsList: string[];
  createdBy?: string;
  updatedBy?: string;
}

/** What a user is to be in an account that invites it. */
export const MembershipInput = object({
  accountAdmin: optional(boolean({ default: false })),
  roles: optional(array(string({ maxLength: 100, examples: ['Sales agent'] }), { maxItems: 100 })),
});

export const RoleNames = object({
  roles: array(string({ maxLength: 100 }), { maxItems: 100, examples: [['Sales agent']] }),
});
