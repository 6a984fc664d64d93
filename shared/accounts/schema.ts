import type { JsonWebKey } from 'node:crypto';
import {
  accountId,
  array,
  boolean,
  dateTime,
  integer,
  nameText,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
  webAddress,
} from '../schema.ts';
import { BusinessHours, SlaTargets } from '../sla/schema.ts';
import { maxAccountNameLength } from './name-length.ts';

export const AccountParams = object({ id: string({ maxLength: 64, examples: ['acme'] }) });

/** The country of accounts that have not set one. */
export const defaultCountry = 'US';
const country = (annotations = {}) =>
  string({ minLength: 2, maxLength: 2, examples: ['US'], ...annotations });

/** Whether a password is a fresh proof of a user's identity in the account. */
const proofNeedsFactor = boolean({
  description:
    'If true, requests that need a fresh proof of the user’s identity accept only a second factor, also in the days of grace of `mfa`. API keys are not affected. Default: false.',
  examples: [false],
});

const most = (what: string, example: number, of: { maximum?: number } = {}) =>
  integer({ minimum: 1, description: `The highest number of ${what}.`, examples: [example], ...of });

/** The limits of an account. A limit that is absent is the service's own limit. */
export const AccountLimits = partial({
  users: most('users', 20, { maximum: 1_000_000 }),
  apiKeys: most('API keys', 5, { maximum: 100 }),
  webhooks: most('webhooks', 5, { maximum: 20 }),
  requestsPerMinute: most('requests per minute of all users and API keys together', 300, {
    maximum: 1_000_000,
  }),
});
export type AccountLimits = Static<typeof AccountLimits>;

/** The settings of mails to customers. */
export const MailSettings = object({
  commentsByMail: boolean({
    description:
      'If true, each public comment by staff is also mailed to the requester of its ticket, if the requester has an address. Default: false.',
    examples: [true],
  }),
  from: optional(
    recordId({
      description:
        'The mail address that sends the mails to customers. Default: the oldest mail address with the purpose of the record.',
    }),
  ),
});

export type MailSettings = Static<typeof MailSettings>;

/** Whether the users of an account need a second factor. API keys need none. */
const Mfa = object({
  policy: oneOf(['off', 'required', 'phishingResistant'], {
    description:
      'With `required`, the endpoints of the account reject sessions that have proved no second factor. With `phishingResistant`, they reject sessions that have proved no passkey. Default: `off`.',
  }),
  graceDays: optional(
    integer({
      minimum: 0,
      maximum: 90,
      default: 0,
      description:
        'The days until the policy takes effect, from this change on. Ignored if it has taken effect. A weaker policy that has taken effect remains in effect until then.',
      examples: [14],
    }),
  ),
});

export const Account = object({
  id: accountId({ description: 'The value to send as x-account-id.' }),
  name: string({ examples: ['Harbor Street Coffee'] }),
  timezone: string({
    description: '`UTC`, or the IANA name of a region’s time zone.',
    examples: ['America/New_York'],
  }),
  country: optional(
    country({
      description: `ISO 3166-1 code of the country of phone numbers without a country code. Default: ${defaultCountry}.`,
    }),
  ),
  portalUrl: optional(webAddress({ description: 'Base address of links in notifications.' })),
  vanityDomain: optional(
    string({
      readOnly: true,
      description: 'The active vanity domain. It replaces the host of `portalUrl` in links.',
      examples: ['pay.example.com'],
    }),
  ),
  requireCompleteApplication: boolean({ description: 'If true, submitted applications must be complete.' }),
  applicantPricing: optional(
    boolean({
      description: 'If false, merchants cannot change the rates in their applications. Default: true.',
    }),
  ),
  rulesNeedTwoPeople: optional(
    boolean({
      description:
        'If true, an underwriting rule becomes live only by an administrator who did not write its version, also not with an API key that the administrator created. Two administrators must send false to end this. Default: false.',
    }),
  ),
  rulesNeedTwoPeopleEndRequestedBy: optional(
    string({
      readOnly: true,
      description:
        'The administrator who sent false for `rulesNeedTwoPeople`. It ends when another administrator sends false, too. If an administrator sends true, the request is withdrawn.',
      examples: ['grace@example.com'],
    }),
  ),
  residualsNeedTwoPeople: optional(
    boolean({
      description:
        'If true, a run of residuals is approved only by a person who did not start it. An API key counts as the user who created it. Two administrators must send false to end this. Default: false.',
    }),
  ),
  residualsNeedTwoPeopleEndRequestedBy: optional(
    string({
      readOnly: true,
      description:
        'The administrator who sent false for `residualsNeedTwoPeople`. It ends when another administrator sends false, too. If an administrator sends true, the request is withdrawn.',
      examples: ['grace@example.com'],
    }),
  ),
  impersonationForbidden: optional(
    boolean({
      description:
        'If true, administrators cannot impersonate users, and open impersonations end. Default: false.',
      examples: [false],
    }),
  ),
  mfa: optional(Mfa),
  mfaEnforcedFrom: optional(
    dateTime({
      readOnly: true,
      description:
        'When `mfa` takes effect. From then on, sessions that have proved no second factor are rejected.',
    }),
  ),
  proofNeedsFactor: optional(proofNeedsFactor),
  passkeysEnforcedFrom: optional(
    dateTime({
      readOnly: true,
      description:
        'When `phishingResistant` takes effect. From then on, sessions that have proved no passkey are rejected.',
    }),
  ),
  mail: optional(MailSettings),
  slaTargets: optional(SlaTargets),
  businessHours: optional(BusinessHours),
  parentAccountId: optional(
    accountId({ description: 'The account that created this account. Absent if an operator created it.' }),
  ),
  accountTypeId: optional(recordId({ description: 'The account type of the parent account.' })),
  permissions: optional(
    array(string({ examples: ['readLeads'] }), {
      description:
        'The permissions that users and API keys of the account can use. Others have no effect, even if they were granted. If absent, all permissions.',
    }),
  ),
  limits: optional(AccountLimits),
  closedAt: optional(
    dateTime({
      description:
        'When the account was deleted. Until it is reopened, the account rejects nearly all requests.',
    }),
  ),
  erasesAt: optional(
    dateTime({
      description: 'When the erasure of the deleted account begins. Until then, it can be reopened.',
    }),
  ),
  bodyCaptureUntil: optional(
    dateTime({ description: 'The request and response bodies of changes are stored until this time.' }),
  ),
  version: integer({ examples: [1] }),
  createdAt: dateTime(),
  createdBy: optional(string({ examples: ['grace@example.com'] })),
  updatedAt: dateTime(),
  updatedBy: optional(string({ examples: ['grace@example.com'] })),
});
export type Account = Static<typeof Account>;

export const UpdatedAccount = object({
  ...Account.properties,
  openTicketsWithFormerPolicy: optional(
    integer({
      minimum: 1,
      description:
        'The number of open tickets that keep their due times, if the request changed the SLA policy: slaTargets, businessHours or timezone.',
      examples: [12],
    }),
  ),
});

/** A stored account. Responses omit these fields. */
export type StoredAccount = Account & {
  /** The account version that introduced the SLA policy. Default 1. */
  slaPolicyVersion?: number | undefined;
  /** The permissions that the parent gave. If absent, all that the account type allows. */
  givenPermissions?: string[];
  /** The level in the tree of accounts. Accounts of an operator have level 1, the default. */
  depth?: number;
  /** The domains of the single sign-on connections that are enforced. A copy, because every request reads the account. */
  signOnDomains?: string[];
  /** The public key for captured bodies, and the id of the item with the private key. */
  bodyCaptureKey?: { id: number; publicKey: JsonWebKey };
  /** The version of `searchIndex` whose parts the index contains for all records. Default 0. */
  indexedAdditions?: number;
  /**
   * How far the next additions are built. The build begins at `start`, when no function of the former deployment removes
   * the new entries any more. The next step continues at the list position `before` of a record type.
   */
  indexBuild?: { additions: number; start: string; resource?: string; before?: string };
};

export const AccountPatch = object({
  name: optional(nameText({ maxLength: maxAccountNameLength, examples: ['Harbor Street Coffee'] })),
  timezone: optional(string({ maxLength: 64, examples: ['America/New_York'] })),
  country: optional(nullable(country())),
  portalUrl: optional(nullable(webAddress())),
  requireCompleteApplication: optional(boolean()),
  applicantPricing: optional(boolean()),
  rulesNeedTwoPeople: optional(boolean()),
  residualsNeedTwoPeople: optional(boolean()),
  impersonationForbidden: optional(boolean({ examples: [false] })),
  mfa: optional(Mfa),
  proofNeedsFactor: optional(proofNeedsFactor),
  mail: optional(nullable(MailSettings)),
  slaTargets: optional(nullable(SlaTargets)),
  businessHours: optional(nullable(BusinessHours)),
});

export const AccountEntry = object({
  accountId: accountId(),
  accountName: string({ examples: ['Harbor Street Coffee'] }),
  usersPrimaryAccount: boolean(),
  accountAdmin: boolean(),
});
export type AccountEntry = Static<typeof AccountEntry>;

export const AccountInvitation = object({
  accountId: accountId(),
  accountName: string({ examples: ['Harbor Street Coffee'] }),
  accountAdmin: boolean(),
  invitedBy: optional(
    string({ description: 'Email of the inviter, or id of the API key.', examples: ['grace@example.com'] }),
  ),
  invitedAt: dateTime(),
});
export type AccountInvitation = Static<typeof AccountInvitation>;
