import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import { tickets } from '../tickets/store.ts';
import type { StoredTicket } from '../tickets/stored-ticket.ts';
import type { StoredTicketComment } from './schema.ts';

/** The event of a comment. Its subject is the ticket, and it does not contain the text. */
export const commentAdded = (
  ticket: StoredTicket,
  { id, visibility, authorType }: StoredTicketComment,
): EventDraft => ({
  kind: 'ticket_comment_added',
  subject: subjectOf(tickets, ticket),
  data: { commentId: id, visibility, authorType },
});
