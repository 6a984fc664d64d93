import type { AccountId } from '../../id/account-id.ts';
import { readTicket } from '../tickets/read-ticket.ts';
import { reassignmentFor } from '../tickets/reassign-on-reopen.ts';
import { changeByComment } from './new-comment.ts';
import type { TicketCommentInput } from './schema.ts';

/** Throws `not_found`, then the errors of the comment. Reopening the ticket needs two more reads. */
export async function readForComment(account: AccountId, reference: string, body: TicketCommentInput) {
  const ticket = await readTicket(account, reference);
  const change = changeByComment(ticket, body);
  return { ticket, change, reassignment: await reassignmentFor(account, ticket, change) };
}
