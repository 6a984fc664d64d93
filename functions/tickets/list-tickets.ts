import { filterBy, filterByReference } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { assigneeFilter } from '../../shared/people/users/assignee-filter.ts';
import { array, string } from '../../shared/schema.ts';
import { indexedTicketFields } from '../../shared/support/tickets/indexed-fields.ts';
import {
  dueFilters,
  hasTag,
  hasTicketNumber,
  ticketPartitions,
  ticketReferences,
  ticketsOf,
} from '../../shared/support/tickets/list-tickets.ts';
import { maxTagLength, Ticket } from '../../shared/support/tickets/schema.ts';
import { withoutInternal } from '../../shared/support/tickets/show-ticket.ts';

const names = (description: string) => array(string({ minLength: 1, maxLength: 254 }), { description });

export default listing(
  {
    path: '/tickets',
    permission: 'readTickets',
    reach: 'ticket',
    item: Ticket,
    customFilters: {
      assignedTo: assigneeFilter,
      ticketNumber: filterBy(names('Case-insensitive.'), hasTicketNumber),
      ticketTypeId: filterByReference('tty', 'ticketTypeId', names('Each value is an id or uniqueId.')),
      tags: filterBy(
        array(string({ minLength: 1, maxLength: maxTagLength }), { description: 'Case-insensitive.' }),
        hasTag,
      ),
      ...dueFilters,
    },
    references: ticketReferences,
    rights: ['emails:find'],
    indexed: ['status', 'assignedTo', 'ticketNumber'],
    partitions: ticketPartitions,
    indexedFields: indexedTicketFields,
    summary: 'List tickets',
    description: 'Omits customFields and metaData, and shortens each description to 200 characters.',
    showTo: withoutInternal,
  },
  ({ account, query, now }, answered) => ticketsOf(account, answered, query.assignedTo, now),
);
