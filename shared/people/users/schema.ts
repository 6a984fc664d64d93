import { AccountEntry } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import {
  array,
  boolean,
  clearable,
  credential,
  dateTime,
  email,
  integer,
  nameText,
  nullable,
  object,
  optional,
  partial,
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
  phone: string({
    maxLength: 64,
    examples: ['+14155550134'],
    description:
      'Stored in E.164. A number without a country code is read as a number of the account’s country. Extensions are not accepted.',
  }),
  imgSrc: webAddress(),
};

const listed = {
  id: recordId(),
  email: email({ examples: ['grace@example.com'] }),
  name: optional(profile.name),
  active: boolean({ description: 'Whether the user is active in this account.' }),
  invited: boolean({
    description:
      'Whether the user has not yet answered the invitation to this account. Until then, the account can read ' +
      'only the email, and the membership grants nothing.',
  }),
  teamId: optional(recordId()),
  phone: optional(profile.phone),
  imgSrc: optional(profile.imgSrc),
  version: integer({
    description: 'Version of the membership in this account. Also the ETag.',
    examples: [1],
  }),
  createdBy: optional(string({ examples: ['grace@example.com'] })),
  updatedBy: optional(string({ examples: ['grace@example.com'] })),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  flatRolesList: array(string({ examples: ['Sales agent'] }), { description: 'Role names in this account.' }),
  flatPermissionsList: array(string({ examples: ['readLeads'] }), {
    description: 'The permissions in this account, from roles and direct grants.',
  }),
};

export const ListedUser = object({ ...listed, accountAdmin: boolean() });
export type ListedUser = Static<typeof ListedUser>;

export const User = object({
  ...listed,
  notificationPreferences: PreferencesByAccount,
  accounts: array(AccountEntry, { description: 'Only this account, unless the caller is the user.' }),
  token: optional(
    credential({
      description: 'The invitation token, shown once. POST /auth/password-reset accepts it for 72 hours.',
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
      description: 'Role names.',
    }),
  ),
});
export type UserInput = Static<typeof UserInput>;

export const UserPatch = partial({
  ...clearable(profile),
  active: boolean(),
  teamId: nullable(recordId()),
  accountAdmin: boolean(),
});
export type UserPatch = Static<typeof UserPatch>;

export const UserParams = object({ email: string({ maxLength: 254, examples: ['grace@example.com'] }) });

export const Password = string({ minLength: 12, maxLength: 256, examples: ['correct horse battery staple'] });

/** A user, stored in the account that created it. The user's permissions are stored in the memberships. */
export interface StoredUser {
  id: number;
  email: string;
  /** The account that created the user and stores it. */
  home: AccountId;
  /** The account whose administrators may change the profile: the home account, until the membership there ends. */
  owner?: AccountId;
  name?: string;
  phone?: string;
  imgSrc?: string;
  notificationPreferences: NotificationPreference[];
  /** A PHC string. Absent until the first password is set. */
  passwordHash?: string;
  /** Incremented with every new password. Sessions of an earlier epoch are invalid. */
  sessionEpoch: number;
  accountIds: AccountId[];
  invitedTo?: AccountId[];
  /**
   * True while the user can set the first password with the home account's invitation. Removed permanently once the
   * user has a password, was deactivated, or was invited by another account.
   */
  invitationOpen?: true;
  version: number;
  createdAt: string;
  createdBy: string;
  updatedAt: string;
  updatedBy?: string;
}

/** A user's membership in an account. Its id is the id of the user. */
export interface Membership extends Versioned {
  id: number;
  email: string;
  name?: string;
  phone?: string;
  imgSrc?: string;
  active: boolean;
  invited?: true;
  accountAdmin: boolean;
  teamId?: number;
  roleIds: number[];
  /** Permissions granted directly, in addition to the permissions of the roles. */
  flatPermissionsList: string[];
  createdBy?: string;
  updatedBy?: string;
}

export const MembershipInput = object({
  accountAdmin: optional(boolean({ default: false })),
  roles: optional(array(string({ maxLength: 100, examples: ['Sales agent'] }), { maxItems: 100 })),
});

export const RoleNames = object({
  roles: array(string({ maxLength: 100 }), { maxItems: 100, examples: [['Sales agent']] }),
});
