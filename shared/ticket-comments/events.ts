import { subjectOf } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { StoredTicket } from '../tickets/stored-ticket.ts';
import type { AuthorType, StoredTicketComment, Visibility } from './schema.ts';

declare module '../events/data.ts' {
  interface NounEvents {
    ticketComment: {
      ticket_comment_added: { commentId: number; visibility: Visibility; authorType: AuthorType };
    };
  }
}

/** The event of a comment. It says nothing of what is in it; its subject is the ticket. */
export const commentAdded = (
  ticket: StoredTicket,
  { id, visibility, authorType }: StoredTicketComment,
): EventDraft => ({
  kind: 'ticket_comment_added',
  subject: subjectOf('ticket', ticket),
  data: { commentId: id, visibility, authorType },
});
