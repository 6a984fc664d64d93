import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import { tickets } from '../tickets/store.ts';
import type { StoredTicket } from '../tickets/stored-ticket.ts';
import type { StoredTicketComment } from './schema.ts';

/** The event of a comment. It says nothing of what is in it; its subject is the ticket. */
export const commentAdded = (
  ticket: StoredTicket,
  { id, visibility, authorType }: StoredTicketComment,
): EventDraft => ({
  kind: 'ticket_comment_added',
  subject: subjectOf(tickets, ticket),
  data: { commentId: id, visibility, authorType },
});
