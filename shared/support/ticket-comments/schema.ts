import type { AccountId } from '../../id/account-id.ts';
import { multilineText, object, oneOf, optional, recordId, type Static, string } from '../../schema.ts';
import { ticketStatuses } from '../../sla/schema.ts';
import { recordFields } from '../../table/record-fields.ts';

/** Reading `internal` comments requires readInternalComments. */
export const visibilities = ['public', 'internal'] as const;
export type Visibility = (typeof visibilities)[number];

const authorTypes = ['staff', 'customer'] as const;

/** With this limit, a page of 100 plain-text comments fits into a response. */
const body = multilineText({ minLength: 1, maxLength: 10_000, examples: ['A new terminal is on its way.'] });
const visibility = oneOf(visibilities, {
  description: 'internal: shown only to callers with readInternalComments.',
});
const authorType = oneOf(authorTypes);
const author = string({ minLength: 1, maxLength: 254, examples: ['grace@example.com'] });

export const TicketComment = object({
  ...recordFields,
  ticketId: recordId({ readOnly: true }),
  body,
  visibility,
  authorType,
  author,
});
export type TicketComment = Static<typeof TicketComment>;

export type StoredTicketComment = TicketComment & { accountId: AccountId };

export const TicketCommentInput = object({
  body,
  visibility: optional(oneOf(visibilities, { default: 'public' })),
  authorType: optional(oneOf(authorTypes, { default: 'staff', examples: ['customer'] })),
  author: optional(
    string({
      minLength: 1,
      maxLength: 254,
      description:
        'Author of a customer comment. Default: the ticket’s requester. For staff comments, the author is the caller.',
      examples: ['ada@example.com'],
    }),
  ),
  status: optional(oneOf(ticketStatuses, { description: 'New status of the ticket.' })),
});
export type TicketCommentInput = Static<typeof TicketCommentInput>;
