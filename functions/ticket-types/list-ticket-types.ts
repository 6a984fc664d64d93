import { filterByReference } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { TicketType } from '../../shared/support/ticket-types/schema.ts';
import { ticketTypes } from '../../shared/support/ticket-types/store.ts';

export default listing(
  {
    path: '/ticket-types',
    permission: 'readTicketTypes',
    item: TicketType,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      name: ['filter', 'search', 'sort'],
      description: ['search'],
      category: ['filter', 'sort'],
      isActive: ['filter', 'sort'],
      autoAssignmentEnabled: ['filter', 'sort'],
      sortOrder: ['sort'],
      createdBy: ['filter'],
    },
    customFilters: { rotationId: filterByReference('rot', 'rotationId') },
    summary: 'List ticket types',
  },
  ({ account }) => ticketTypes.listOf(account),
);
