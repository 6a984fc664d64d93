import { filterByReference } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { TicketType } from '../../shared/support/ticket-types/schema.ts';
import { ticketTypes } from '../../shared/support/ticket-types/store.ts';

export default listing(
  {
    path: '/ticket-types',
    permission: 'readTicketTypes',
    item: TicketType,
    filters: ['name', 'category', 'isActive', 'autoAssignmentEnabled', 'createdBy'],
    customFilters: { rotationId: filterByReference('rot', 'rotationId') },
    sorts: ['createdAt', 'updatedAt', 'name', 'category', 'isActive', 'autoAssignmentEnabled', 'sortOrder'],
    searchable: ['name', 'description'],
    summary: 'List ticket types',
  },
  ({ account }) => ticketTypes.listOf(account),
);
