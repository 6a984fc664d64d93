import { filterBy, listing } from '../../shared/http/listing.ts';
import { asUniqueId } from '../../shared/id/unique-id.ts';
import { array, uniqueId } from '../../shared/schema.ts';
import { type StoredTicketType, TicketType } from '../../shared/ticket-types/schema.ts';
import { ticketTypes } from '../../shared/ticket-types/store.ts';

export default listing(
  {
    path: '/ticket-types',
    permission: 'readTicketTypes',
    item: TicketType,
    filters: ['name', 'category', 'isActive', 'autoAssignmentEnabled', 'createdBy'],
    customFilters: {
      rotationId: filterBy(
        array(uniqueId('rot')),
        ({ rotationId }: StoredTicketType, wanted) =>
          rotationId !== undefined && wanted.some((text) => asUniqueId('rot', text) === rotationId),
      ),
    },
    sorts: ['createdAt', 'updatedAt', 'name', 'category', 'isActive', 'autoAssignmentEnabled', 'sortOrder'],
    searchable: ['name', 'description'],
    summary: 'List ticket types',
  },
  ({ account }) => ticketTypes.listOf(account),
);
