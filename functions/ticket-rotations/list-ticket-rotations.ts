import { filterByReference, listing } from '../../shared/http/listing.ts';
import { TicketRotation } from '../../shared/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/ticket-rotations/store.ts';

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
