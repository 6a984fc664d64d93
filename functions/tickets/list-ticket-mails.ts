import { MailSummary, mailOfRecordFields } from '../../shared/correspondence/mails/schema.ts';
import { mailsOfThread } from '../../shared/correspondence/threads/mails-of-thread.ts';
import { restrictedListing } from '../../shared/endpoints/restricted-listing.ts';
import { idOfTicket } from '../../shared/support/tickets/read-ticket.ts';
import { TicketParams } from '../../shared/support/tickets/schema.ts';

export default restrictedListing(
  'readInternalComments',
  {
    path: '/tickets/{ticketId}/mails',
    permission: 'readTickets',
    reach: 'ticket',
    params: TicketParams,
    item: MailSummary,
    fields: mailOfRecordFields,
    summary: 'List the mails of a ticket',
    description:
      'Without readInternalComments, held mails are not listed and not counted. Quarantined mails are in GET /mails.',
  },
  (input) =>
    mailsOfThread(input, 'ticket', input.params.ticketId, async () =>
      String(await idOfTicket(input.account, input.params.ticketId)),
    ),
);
