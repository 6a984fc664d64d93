import { array, boolean, dateTime, object, optional, recordId, type Static, string } from '../schema.ts';

/** An account a caller belongs to. Interface, "User". */
export const AccountEntry = object({
  accountId: string({ examples: ['acme'] }),
  accountName: string({ examples: ['Harbor Street Coffee'] }),
  usersPrimaryAccount: boolean(),
  accountAdmin: boolean(),
});
export type AccountEntry = Static<typeof AccountEntry>;

/** An account that asked the user to join and waits for its answer. */
export const AccountInvitation = object({
  accountId: string({ examples: ['acme'] }),
  accountName: string({ examples: ['Harbor Street Coffee'] }),
  accountAdmin: boolean(),
  invitedBy: optional(
    string({ description: 'Email of the user, or the API key.', examples: ['grace@example.com'] }),
  ),
  invitedAt: dateTime(),
});
export type AccountInvitation = Static<typeof AccountInvitation>;

/** Who is signed in, where, and with which token. Interface, "User session". */
export const UserSession = object({
  id: recordId(),
  email: string({ description: 'For an API key, its public half.', examples: ['grace@example.com'] }),
  token: string({
    maxLength: 8192,
    description: 'Send it as Authorization: Bearer <token>.',
    examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl'],
  }),
  createdBy: optional(string({ examples: ['grace@example.com'] })),
  updatedBy: optional(string({ examples: ['grace@example.com'] })),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  primaryAccount: optional(AccountEntry),
  accounts: array(AccountEntry),
  flatRolesList: array(string({ examples: ['Sales agent'] })),
  flatPermissionsList: array(string({ examples: ['readLeads'] })),
});
export type UserSession = Static<typeof UserSession>;
