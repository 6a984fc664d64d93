import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { TicketStatus } from '../../sla/schema.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { TicketChange } from '../tickets/change-ticket.ts';
import type { StoredTicket } from '../tickets/stored-ticket.ts';
import type { StoredTicketComment, TicketCommentInput } from './schema.ts';

const opensOnReply: ReadonlySet<TicketStatus> = new Set(['waiting_customer', 'resolved', 'closed']);

/** A sent status overrides reopening. Throws `invalid_input` for an internal customer comment. */
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

/** Creates a comment. Throws `invalid_input` for a staff comment in another author's name. */
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
