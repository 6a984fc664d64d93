import { filterByReference } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { TicketRotation } from '../../shared/support/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/support/ticket-rotations/store.ts';

export default listing(
  {
    path: '/ticket-rotations',
    permission: 'readTicketRotations',
    item: TicketRotation,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      name: ['filter', 'search', 'sort'],
      ticketTypeId: ['sort'],
      status: ['filter', 'sort'],
      createdBy: ['filter'],
    },
    customFilters: { ticketTypeId: filterByReference('tty', 'ticketTypeId') },
    summary: 'List ticket rotations',
  },
  ({ account }) => ticketRotations.listOf(account),
);
