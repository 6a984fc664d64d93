import { maxAccountNameLength } from '../accounts/name-length.ts';
import { AccountLimits } from '../accounts/schema.ts';
import {
  accountId,
  array,
  boolean,
  dateTime,
  email,
  integer,
  nameText,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
} from '../schema.ts';
import { recordFields } from '../table/record-fields.ts';

const name = nameText({ maxLength: 100, examples: ['Sales agent'] });
/** More than there are permissions, so that a new permission does not change the published schema. */
const mostPermissions = 200;

const permissions = array(string({ maxLength: 64 }), {
  maxItems: mostPermissions,
  description: 'The permissions that accounts of this type can use.',
  examples: [['readLeads', 'writeLeads', 'readUsers', 'writeUsers']],
});

export const AccountType = object({ ...recordFields, name, permissions, limits: AccountLimits });
export type AccountType = Static<typeof AccountType>;

export const AccountTypeInput = object({ name, permissions, limits: optional(AccountLimits) });
export const AccountTypePatch = partial({ name, permissions, limits: AccountLimits });

const ofType = recordId({ description: 'An account type of the account in x-account-id.' });

export const ChildAccountInput = object({
  name: nameText({ maxLength: maxAccountNameLength, examples: ['Harbor Agents'] }),
  accountTypeId: ofType,
  adminEmail: email({ examples: ['agent@example.com'] }),
});

/** The account in the path, which must be a child of the account in x-account-id. */
export const ChildAccountParams = object({ id: string({ maxLength: 64, examples: ['acme'] }) });

const childStatuses = ['active', 'closed'] as const;

/** A child account as its parent sees it. */
export const ChildAccount = object({
  id: accountId(),
  name: string({ examples: ['Harbor Agents'] }),
  accountTypeId: optional(
    recordId({ description: 'Absent after the account was moved, until its parent sets a type.' }),
  ),
  status: oneOf(childStatuses),
  permissions: array(string({ examples: ['readLeads'] }), {
    description: 'The permissions that the account can use.',
  }),
  limits: optional(AccountLimits),
  version: integer({ examples: [1] }),
  createdAt: dateTime(),
});
export type ChildAccount = Static<typeof ChildAccount>;

export const ChildAccountPermissions = object({
  permissions: array(string({ maxLength: 64 }), {
    maxItems: mostPermissions,
    examples: [['readLeads', 'writeLeads']],
  }),
});

export const ChildAccountType = object({ accountTypeId: ofType });

export const ChildAccountMove = object({
  parentAccountId: string({
    maxLength: 64,
    examples: ['acme'],
    description: 'The parent of the account in x-account-id, or another child of this account.',
  }),
});

const count = (description: string) => integer({ minimum: 0, description, examples: [3] });

/** Everything that a parent account can see of a child account. */
export const ChildAccountReport = object({
  ...ChildAccount.properties,
  accountTypeName: optional(name),
  counts: object({
    users: count('Including inactive and invited users.'),
    leads: count('Leads.'),
    applications: count('Applications.'),
    merchants: count('Merchants.'),
    tickets: count('Tickets.'),
  }),
  agentMerchants: optional(
    object(
      {
        data: array(
          object({
            id: recordId(),
            merchantName: optional(string({ examples: ['Harbor Street Coffee'] })),
            dba: optional(string({ examples: ['Harbor Street Coffee'] })),
            status: optional(string({ examples: ['active'] })),
          }),
        ),
        totalCount: integer({ examples: [1] }),
        totalIsLowerBound: optional(boolean()),
      },
      {
        description:
          'The merchants of the account in x-account-id whose agentAccountId is the child account: the newest 25. Absent if the account in x-account-id cannot use readMerchants.',
      },
    ),
  ),
});
export type ChildAccountReport = Static<typeof ChildAccountReport>;
