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
      description: 'Never included. The service sends tokens only by mail to the user.',
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

export const UserParams = object({
  email: string({
    maxLength: 254,
    description:
      'The email or the id of the user. A path cannot contain an email with / or ?, even if it is percent-encoded.',
    examples: ['grace@example.com'],
  }),
});

/** A token that the service sent by mail. */
export const MailedToken = string({
  maxLength: 256,
  examples: ['mo_pw_vB4nKwZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWz'],
});

export const Password = string({ minLength: 12, maxLength: 256, examples: ['correct horse battery staple'] });

/** A person with an email address, who can be a member of several accounts. The person belongs to none of them. */
export interface StoredUser {
  id: number;
  email: string;
  /** The account in whose partition the person is stored. The account has no rights because of this. */
  home: AccountId;
  /** The person's own name, phone and picture. Set only with a proved password. Memberships contain copies. */
  name?: string;
  phone?: string;
  imgSrc?: string;
  /**
   * The rules of all accounts. A rule with `accountId` belongs to the membership in this account. A rule without
   * `accountId` is the person's own default rule, set only with a proved password.
   */
  notificationPreferences: NotificationPreference[];
  /** The number of changes of an account's rules, for each account. Accounts get this number as the version. */
  rulesVersions?: Record<string, number>;
  /** A PHC string. Absent until the first password is set. */
  passwordHash?: string;
  /** True if the password was set with a token that the service mailed to the person. */
  proved?: true;
  /** True if the person has a confirmed second factor. A password alone then opens no session. */
  secondFactor?: true;
  /** True if the person has a confirmed passkey. A holder item then leads from a passkey to the person. */
  hasPasskey?: true;
  /**
   * True if the person has accepted a membership: with its mailed token, or by single sign-on with an address in a domain that
   * the account holds. Until then, the only membership is that of the account that created the person. Absent in items of an
   * earlier version: then `proved` decides.
   */
  accepted?: boolean;
  /** Incremented with every new password. Sessions of an earlier epoch are invalid. */
  sessionEpoch: number;
  /**
   * The accounts with an accepted membership, or the account that created the person. The first account in which the
   * person is active is the primary one.
   */
  accountIds: AccountId[];
  /** The accounts with an open invitation, in items of an earlier version. See `InvitedUser`. */
  invitedTo?: AccountId[];
  version: number;
  createdAt: string;
  createdBy: string;
  updatedAt: string;
  updatedBy?: string;
}

/**
 * A person with the accounts that have an open invitation. They are stored in an item of their own, so that invitations
 * do not enlarge the person, whom every request of the person reads.
 */
export interface InvitedUser extends StoredUser {
  invitations: readonly AccountId[];
}

/** The values of a membership that an identity provider sets by SCIM. No other values change with them, except the name. */
export interface ProvisionedProfile {
  /** The id at the identity provider. */
  externalId?: string;
  displayName?: string;
  name?: { formatted?: string; familyName?: string; givenName?: string };
  /** Contact data. The person signs in with the email of the membership. */
  emails?: { value: string; display?: string; type?: string; primary?: boolean }[];
}

/** A person's membership in an account. Its id is the id of the person. The profile is what this account calls them. */
export interface Membership extends Versioned {
  id: number;
  email: string;
  name?: string;
  phone?: string;
  imgSrc?: string;
  active: boolean;
  /** True until the person accepts the invitation of an account that did not create the person. */
  invited?: true;
  /** The invitation whose token is valid. Absent if the person has answered, or if the membership is inactive. */
  invitationId?: number;
  accountAdmin: boolean;
  teamId?: number;
  /** The teams that the user manages, with the teams below them. A change of a team updates this list. */
  managedTeamIds?: number[];
  roleIds: number[];
  /** Permissions granted directly, in addition to the permissions of the roles. */
  flatPermissionsList: string[];
  /** The identity at the account's identity provider that is linked to the member. */
  identity?: { issuer: string; subject: string };
  /** Present if an identity provider manages the membership. */
  provisioned?: ProvisionedProfile;
  /** Sessions that began before this instant do not act in this account, even after a new activation. */
  sessionsEndedAt?: string;
  createdBy?: string;
  updatedBy?: string;
}

export const MembershipInput = object({
  accountAdmin: optional(boolean({ default: false })),
  roles: optional(array(string({ maxLength: 100, examples: ['Sales agent'] }), { maxItems: 100 })),
});

export type MembershipInput = Static<typeof MembershipInput>;

export const RoleNames = object({
  roles: array(string({ maxLength: 100 }), { maxItems: 100, examples: [['Sales agent']] }),
});
