import { invalid } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { TicketStatus } from '../../sla/schema.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { TicketChange } from '../tickets/change-ticket.ts';
import { reassignmentFor } from '../tickets/reassign-on-reopen.ts';
import { tickets } from '../tickets/store.ts';
import type { StoredTicket } from '../tickets/stored-ticket.ts';
import type { StoredTicketComment, TicketCommentInput } from './schema.ts';

const opensOnReply: ReadonlySet<TicketStatus> = new Set(['waiting_customer', 'resolved', 'closed']);

/**
 * Returns the change that a new comment makes to the ticket. If the request contains a status, the ticket gets this
 * status and is not reopened automatically. Throws `invalid_input` for an internal comment by a customer.
 */
export function changeByComment(
  { status: before }: Pick<StoredTicket, 'status'>,
  { visibility = 'public', authorType = 'staff', status }: TicketCommentInput,
): TicketChange {
  if (visibility === 'internal') {
    if (authorType === 'customer') throw invalid('visibility', 'must be public if authorType is customer');
    return { response: 'internal', status };
  }
  const opened = authorType === 'customer' && opensOnReply.has(before) ? 'open' : undefined;
  return { response: authorType, status: status ?? opened };
}

/** Creates a comment. Throws `invalid_input` if a staff comment names an author other than the caller. */
export function newComment(
  request: Authored & { account: AccountId; body: TicketCommentInput },
  { id: ticketId, requesterEmail }: Pick<StoredTicket, 'id' | 'requesterEmail'>,
): StoredTicketComment {
  const { body, visibility = 'public', authorType = 'staff', author } = request.body;
  const caller = request.principal.actor.user;
  if (authorType === 'staff' && author !== undefined && author !== caller)
    throw invalid('author', 'must be omitted if authorType is staff: the author is the caller');
  return {
    ...newRecord(request),
    ticketId,
    body,
    visibility,
    authorType,
    author: authorType === 'staff' ? caller : (author ?? requesterEmail),
  };
}

/**
 * Determines how a new comment changes its ticket. If the comment reopens the ticket, reads the records for a reassignment.
 * Throws the errors of `changeByComment`.
 */
export async function readForComment(ticket: StoredTicket, body: TicketCommentInput) {
  const change = changeByComment(ticket, body);
  return { ticket, change, reassignment: await reassignmentFor(ticket.accountId, ticket, change) };
}

/** Returns the event of a new comment, with the ticket as subject. The event does not contain the comment's text. */
export const commentAdded = (
  ticket: StoredTicket,
  { id, visibility, authorType }: StoredTicketComment,
): EventDraft => ({
  kind: 'ticket_comment_added',
  subject: subjectOf(tickets, ticket),
  data: { commentId: id, visibility, authorType },
});
