import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { TicketStatus } from '../../sla/schema.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { TicketChange } from '../tickets/change-ticket.ts';
import type { StoredTicket } from '../tickets/stored-ticket.ts';
import type { StoredTicketComment, TicketCommentInput } from './schema.ts';

/** A ticket that waits for its customer, or is done, is open again once the customer writes. */
const opensOnReply: ReadonlySet<TicketStatus> = new Set(['waiting_customer', 'resolved', 'closed']);

/**
 * What a comment means to its ticket: a status that is sent with it stands in place of the one that a customer's reply
 * would give it. Throws `invalid_input` for an internal comment of a customer.
 */
export function changeByComment(
  { status: before }: Pick<StoredTicket, 'status'>,
  { visibility = 'public', authorType = 'staff', status }: TicketCommentInput,
): TicketChange {
  if (visibility === 'internal') {
    if (authorType === 'customer') throw invalid('visibility', 'must be public for what a customer writes');
    return { response: 'internal', status };
  }
  const opened = authorType === 'customer' && opensOnReply.has(before) ? 'open' : undefined;
  return { response: authorType, status: status ?? opened };
}

/** A comment as somebody sent it. Throws `invalid_input` where the staff names another author. */
export function newComment(
  request: Authored & { account: AccountId; body: TicketCommentInput },
  { id: ticketId, requesterEmail }: Pick<StoredTicket, 'id' | 'requesterEmail'>,
): StoredTicketComment {
  const { body, visibility = 'public', authorType = 'staff', author } = request.body;
  const caller = request.principal.actor.user;
  if (authorType === 'staff' && author !== undefined && author !== caller)
    throw invalid('author', 'must be left out for what the staff writes: it is whoever sends it');
  return {
    ...newRecord(request),
    ticketId,
    body,
    visibility,
    authorType,
    author: authorType === 'staff' ? caller : (author ?? requesterEmail),
  };
}
