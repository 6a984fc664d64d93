import type { AccountId } from '../../id/account-id.ts';
import {
  boolean,
  dateTime,
  email,
  multilineText,
  object,
  optional,
  recordId,
  type Static,
} from '../../schema.ts';
import type { FieldUses } from '../../search/indexed-fields.ts';
import { recordFields } from '../../table/record-fields.ts';

const reason = multilineText({
  minLength: 3,
  description: 'The user gets the reason by mail.',
  examples: ['Ticket TKT-000001: the list of leads is empty'],
});

export const ImpersonationInput = object({
  reason,
  write: optional(
    boolean({
      default: false,
      description: 'If true, the session can also change records. By default, it is read-only.',
    }),
  ),
});

/** An administrator’s access as a user. `createdBy` is the administrator. */
export const Impersonation = object({
  ...recordFields,
  userId: recordId({ readOnly: true }),
  email: email({ readOnly: true, description: 'The user.', examples: ['grace@example.com'] }),
  reason,
  write: boolean({ description: 'Whether the session could change records.' }),
  expiresAt: dateTime({ description: '30 minutes after the beginning.' }),
  endedAt: optional(
    dateTime({ description: 'Present if the administrator or the user ended the impersonation earlier.' }),
  ),
});
export type Impersonation = Static<typeof Impersonation>;

/** The fields of the list of a user's impersonations, which `GET /search` also reads. */
export const impersonationFields = {
  createdAt: ['sort'],
  reason: ['search'],
  write: ['filter'],
  createdBy: ['filter', 'search', 'sort'],
} satisfies FieldUses;

/** `home` and `sessionId` are those of the session. Responses and exports omit them. */
export interface StoredImpersonation extends Impersonation {
  accountId: AccountId;
  home: AccountId;
  sessionId: string;
}
