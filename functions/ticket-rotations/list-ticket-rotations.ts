import { filterByReference } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { TicketRotation } from '../../shared/support/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/support/ticket-rotations/store.ts';

export default listing(
  {
    path: '/ticket-rotations',
    permission: 'readTicketRotations',
    item: TicketRotation,
    filters: ['name', 'status', 'createdBy'],
    customFilters: { ticketTypeId: filterByReference('tty', 'ticketTypeId') },
    sorts: ['createdAt', 'updatedAt', 'name', 'ticketTypeId', 'status'],
    searchable: ['name'],
    summary: 'List ticket rotations',
  },
  ({ account }) => ticketRotations.listOf(account),
);
