import { filterBy, listing } from '../../shared/http/listing.ts';
import { asUniqueId } from '../../shared/id/unique-id.ts';
import { array, uniqueId } from '../../shared/schema.ts';
import { type StoredTicketRotation, TicketRotation } from '../../shared/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/ticket-rotations/store.ts';

export default listing(
  {
    path: '/ticket-rotations',
    permission: 'readTicketRotations',
    item: TicketRotation,
    filters: ['name', 'status', 'createdBy'],
    customFilters: {
      ticketTypeId: filterBy(
        array(uniqueId('tty')),
        ({ ticketTypeId }: StoredTicketRotation, wanted) =>
          ticketTypeId !== undefined && wanted.some((text) => asUniqueId('tty', text) === ticketTypeId),
      ),
    },
    sorts: ['createdAt', 'updatedAt', 'name', 'ticketTypeId', 'status'],
    searchable: ['name'],
    summary: 'List ticket rotations',
  },
  ({ account }) => ticketRotations.listOf(account),
);
