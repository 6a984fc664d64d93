import type { StoredTicketComment } from '../support/ticket-comments/schema.ts';
import type { StoredTicket } from '../support/tickets/stored-ticket.ts';
import type { Write } from '../table/operations.ts';
import { requestWrites } from './partner-request.ts';

/** The writes that send a public staff comment to the partner, if the partner created the ticket. */
export const commentToPartner = (
  { accountId, id: ticketId, partnerTicketId }: StoredTicket,
  { id: commentId, visibility, authorType }: StoredTicketComment,
  now: Date,
): Write[] =>
  partnerTicketId !== undefined && visibility === 'public' && authorType === 'staff'
    ? requestWrites(accountId, `comment-${commentId}`, { request: 'comment', ticketId, commentId }, now)
    : [];
