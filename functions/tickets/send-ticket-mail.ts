import { Mail } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { draftFor, readForMail, storedMail } from '../../shared/correspondence/outgoing/read-for-mail.ts';
import { MailInputWithDocuments } from '../../shared/correspondence/outgoing/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { commentToPartner } from '../../shared/partner/comment-to-partner.ts';
import { commentAdded, newComment } from '../../shared/support/ticket-comments/new-comment.ts';
import { ticketComments } from '../../shared/support/ticket-comments/store.ts';
import { ticketEvents } from '../../shared/support/tickets/events.ts';
import { decideChange } from '../../shared/support/tickets/patch-ticket.ts';
import { readTicket } from '../../shared/support/tickets/read-ticket.ts';
import { TicketParams } from '../../shared/support/tickets/schema.ts';
import { tickets } from '../../shared/support/tickets/store.ts';

export default endpoint({
  method: 'POST',
  path: '/tickets/{ticketId}/mails',
  permission: 'writeTickets',
  reach: 'ticket',
  params: TicketParams,
  body: MailInputWithDocuments,
  response: Mail,
  success: 'created',
  errors: ['mail_unavailable', 'mail_domain_not_verified'],
  emits: ['ticket_comment_added', 'ticket_updated'],
  happenings: ['mail_queued'],
  summary: 'Send a mail in the thread of a ticket',
  description:
    'The text becomes a public comment of the ticket. It is a response for the SLA when SES accepts the mail. Each recipient gets an own message, whose reply address is valid only for this recipient. All recipients take part in the thread from now on.',
  read: async (input) => {
    const record = await readTicket(input, input.params.ticketId);
    return readForMail(input.account, { recordType: 'ticket' as const, record }, input.body);
  },
  decide: async (request, loaded) => {
    const ticket = loaded.of.record;
    const draft = draftFor(request, loaded, 'readTickets');
    const comment = newComment({ ...request, body: { body: request.body.body } }, ticket);
    const changed = await decideChange(request, { ticket, change: { response: 'mailed' } });
    const { mail, writes, events } = await storedMail({ ...draft, commentId: comment.id }, loaded, request);
    return {
      response: mails.show(mail),
      writes: [
        ...tickets.change(changed),
        ticketComments.insert(comment),
        ...commentToPartner(changed.after, comment, request.now),
        ...writes,
      ],
      events: [commentAdded(changed.after, comment), ...ticketEvents(changed), ...events],
    };
  },
});
