import {
  accountId,
  boolean,
  dateTime,
  integer,
  nameText,
  nullable,
  object,
  optional,
  type Static,
  string,
  webAddress,
} from '../schema.ts';
import { BusinessHours, SlaTargets } from '../sla/schema.ts';

export const AccountParams = object({ id: string({ maxLength: 64, examples: ['acme'] }) });

/** A tenant: every other record belongs to one. */
export const Account = object({
  id: accountId({ description: 'What the x-account-id header names.' }),
  name: string({ examples: ['Harbor Street Coffee'] }),
  timezone: string({ description: 'IANA name.', examples: ['America/New_York'] }),
  portalUrl: optional(webAddress({ description: 'Where links in notifications lead.' })),
  requireCompleteApplication: boolean({
    description: 'Refuse to submit an application that is not complete.',
  }),
  applicantPricing: optional(
    boolean({
      description: 'False: merchants cannot change the rates in their applications. Left out: true.',
    }),
  ),
  slaTargets: optional(SlaTargets),
  businessHours: optional(BusinessHours),
  version: integer({ examples: [1] }),
  createdAt: dateTime(),
  createdBy: optional(string({ examples: ['grace@example.com'] })),
  updatedAt: dateTime(),
  updatedBy: optional(string({ examples: ['grace@example.com'] })),
});
export type Account = Static<typeof Account>;

/** An account as it is kept. The version at which its present SLA policy came into force is never shown; none: the first. */
export type StoredAccount = Account & { slaPolicyVersion: number | undefined };

export const longestAccountName = 200;

export const AccountPatch = object({
  name: optional(nameText({ maxLength: longestAccountName, examples: ['Harbor Street Coffee'] })),
  timezone: optional(string({ maxLength: 64, examples: ['America/New_York'] })),
  portalUrl: optional(nullable(webAddress())),
  requireCompleteApplication: optional(boolean()),
  applicantPricing: optional(boolean()),
  slaTargets: optional(nullable(SlaTargets)),
  businessHours: optional(nullable(BusinessHours)),
});

/** An account that a principal belongs to. Interface, "User". */
export const AccountEntry = object({
  accountId: accountId(),
  accountName: string({ examples: ['Harbor Street Coffee'] }),
  usersPrimaryAccount: boolean(),
  accountAdmin: boolean(),
});
export type AccountEntry = Static<typeof AccountEntry>;

/** An account that invited the user, who has neither accepted nor declined yet. */
export const AccountInvitation = object({
  accountId: accountId(),
  accountName: string({ examples: ['Harbor Street Coffee'] }),
  accountAdmin: boolean(),
  invitedBy: optional(
    string({ description: 'Email of the user, or the API key.', examples: ['grace@example.com'] }),
  ),
  invitedAt: dateTime(),
});
export type AccountInvitation = Static<typeof AccountInvitation>;
