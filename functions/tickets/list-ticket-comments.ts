import { restrictedListing } from '../../shared/endpoints/restricted-listing.ts';
import { commentsOn } from '../../shared/support/ticket-comments/list-comments.ts';
import { TicketComment } from '../../shared/support/ticket-comments/schema.ts';
import { TicketParams } from '../../shared/support/tickets/schema.ts';

export default restrictedListing(
  'readInternalComments',
  {
    path: '/tickets/{ticketId}/comments',
    permission: 'readTickets',
    reach: 'ticket',
    params: TicketParams,
    item: TicketComment,
    fields: {
      createdAt: ['sort'],
      body: ['search'],
      visibility: ['filter', 'sort'],
      authorType: ['filter', 'sort'],
      author: ['filter', 'search', 'sort'],
      createdBy: ['filter'],
    },
    summary: 'List the comments on a ticket',
    description: 'Without readInternalComments, only public comments are listed and counted.',
  },
  (input) => commentsOn(input, input.params.ticketId),
);
