import { AccountEntry } from '../../accounts/schema.ts';
import {
  array,
  boolean,
  credential,
  dateTime,
  object,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';

export const UserSession = object({
  id: recordId(),
  email: string({ description: 'For an API key, its public part.', examples: ['grace@example.com'] }),
  token: credential({
    maxLength: 8192,
    description: 'Send the token as Authorization: Bearer <token>.',
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
  impersonation: optional(
    object(
      {
        by: string({ description: 'The administrator.', examples: ['admin@example.com'] }),
        write: boolean({ description: 'If false, the session is read-only.' }),
        expiresAt: dateTime(),
      },
      { description: 'Present only if an administrator acts as the user.' },
    ),
  ),
});
export type UserSession = Static<typeof UserSession>;
