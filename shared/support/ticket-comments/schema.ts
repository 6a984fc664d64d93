import type { AccountId } from '../../id/account-id.ts';
import { object, oneOf, optional, recordId, type Static, string } from '../../schema.ts';
import { ticketStatuses } from '../../sla/schema.ts';
import { recordFields } from '../../table/record-fields.ts';

/** Who gets to see a comment: whoever reads the ticket, or whoever may read internal comments. */
export const visibilities = ['public', 'internal'] as const;
export type Visibility = (typeof visibilities)[number];

/** Whose word a comment is. */
const authorTypes = ['staff', 'customer'] as const;

/** So long that a page of a hundred fits one response, in plain letters. */
const body = string({
  minLength: 1,
  maxLength: 10_000,
  examples: ['A new terminal is on its way.'],
});
const visibility = oneOf(visibilities, {
  description: 'internal: for callers with readInternalComments alone.',
});
const authorType = oneOf(authorTypes);
const author = string({ minLength: 1, maxLength: 254, examples: ['grace@example.com'] });

/** A comment on a ticket. It stays as it was written. */
export const TicketComment = object({
  ...recordFields,
  ticketId: recordId({ readOnly: true }),
  body,
  visibility,
  authorType,
  author,
});
export type TicketComment = Static<typeof TicketComment>;

/** A comment as the table holds it. */
export type StoredTicketComment = TicketComment & { accountId: AccountId };

/** The body of POST /tickets/{ticketId}/comments. */
export const TicketCommentInput = object({
  body,
  visibility: optional(oneOf(visibilities, { default: 'public' })),
  authorType: optional(oneOf(authorTypes, { default: 'staff', examples: ['customer'] })),
  author: optional(
    string({
      minLength: 1,
      maxLength: 254,
      description:
        'Who wrote it for the customer. Left out: the ticket’s requester. What the staff writes is by whoever sends it.',
      examples: ['ada@example.com'],
    }),
  ),
  status: optional(oneOf(ticketStatuses, { description: 'What the ticket is to be after the comment.' })),
});
export type TicketCommentInput = Static<typeof TicketCommentInput>;
