import { mailComment, mailingOf } from '../../shared/correspondence/outgoing/mail-comment.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { commentToPartner } from '../../shared/partner/comment-to-partner.ts';
import {
  commentAdded,
  newComment,
  readForComment,
} from '../../shared/support/ticket-comments/new-comment.ts';
import { TicketComment, TicketCommentInput } from '../../shared/support/ticket-comments/schema.ts';
import { ticketComments } from '../../shared/support/ticket-comments/store.ts';
import { ticketEvents } from '../../shared/support/tickets/events.ts';
import { decideChange } from '../../shared/support/tickets/patch-ticket.ts';
import { readTicket } from '../../shared/support/tickets/read-ticket.ts';
import { TicketParams } from '../../shared/support/tickets/schema.ts';
import { tickets } from '../../shared/support/tickets/store.ts';

export default endpoint({
  method: 'POST',
  path: '/tickets/{ticketId}/comments',
  permission: 'writeTickets',
  reach: 'ticket',
  params: TicketParams,
  body: TicketCommentInput,
  response: TicketComment,
  success: 'created',
  emits: ['ticket_comment_added', 'ticket_updated', 'ticket_assigned', 'ticket_status_changed'],
  happenings: ['mail_queued'],
  summary: 'Comment on a ticket',
  description:
    'The first public staff comment is the first response for the SLA, even if the request also changes the status. If the account mails comments to requesters (`mail.commentsByMail`), it is a response when SES accepts the mail. A customer comment without a status reopens the ticket: it sets the status to open if the status is waiting_customer, resolved or closed.',
  read: async (input) => readForComment(await readTicket(input, input.params.ticketId), input.body),
  decide: async (request, loaded) => {
    const comment = newComment(request, loaded.ticket);
    const mailing = await mailingOf(loaded.ticket, comment, request.accountRecord);
    const change = mailing ? { ...loaded.change, response: 'mailed' as const } : loaded.change;
    const changed = await decideChange(request, { ...loaded, change });
    const mailed = mailing && (await mailComment(changed.after, comment, mailing, request));
    return {
      response: comment,
      writes: [
        ...tickets.change(changed),
        ticketComments.insert(comment),
        ...commentToPartner(changed.after, comment, request.now),
        ...(mailed?.writes ?? []),
      ],
      events: [commentAdded(changed.after, comment), ...ticketEvents(changed), ...(mailed?.events ?? [])],
    };
  },
});
