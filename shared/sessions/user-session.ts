import { array, boolean, dateTime, integer, object, optional, type Static, string } from '../schema.ts';

/** An account a caller belongs to. Interface, "User". */
export const AccountEntry = object({
  accountId: string(),
  accountName: string(),
  usersPrimaryAccount: boolean(),
  accountAdmin: boolean(),
});
export type AccountEntry = Static<typeof AccountEntry>;

/** Who is signed in, where, and with which token. Interface, "User session". */
export const UserSession = object({
  id: integer(),
  email: string({ description: 'For an API key, its public half.' }),
  token: string({ maxLength: 8192, description: 'Send it as Authorization: Bearer <token>.' }),
  createdBy: optional(string()),
  updatedBy: optional(string()),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  primaryAccount: optional(AccountEntry),
  accounts: array(AccountEntry),
  flatRolesList: array(string()),
  flatPermissionsList: array(string()),
});
export type UserSession = Static<typeof UserSession>;
