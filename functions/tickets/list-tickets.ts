import { filterBy, filterByReference, listingPerViewer } from '../../shared/endpoints/listing.ts';
import { array, string } from '../../shared/schema.ts';
import {
  filterFields,
  hasTag,
  hasTicketNumber,
  isAssignedTo,
  partitionsOf,
  searchedFields,
  sortFields,
  ticketsOf,
} from '../../shared/support/tickets/list-tickets.ts';
import { longestTag, Ticket } from '../../shared/support/tickets/schema.ts';
import { withoutInternal } from '../../shared/support/tickets/show-ticket.ts';

const names = (description: string) => array(string({ minLength: 1, maxLength: 254 }), { description });

export default listingPerViewer(
  {
    path: '/tickets',
    permission: 'readTickets',
    item: Ticket,
    filters: filterFields,
    customFilters: {
      assignedTo: filterBy(names('Ids of users; `none` for tickets that nobody has.'), isAssignedTo),
      ticketNumber: filterBy(names('In either case.'), hasTicketNumber),
      ticketTypeId: filterByReference('tty', 'ticketTypeId', names('By id or uniqueId.')),
      tags: filterBy(
        array(string({ minLength: 1, maxLength: longestTag }), { description: 'In either case.' }),
        hasTag,
      ),
    },
    indexed: ['status', 'assignedTo', 'ticketNumber'],
    partitions: partitionsOf,
    sorts: sortFields,
    searchable: searchedFields,
    summary: 'List tickets',
    description:
      'Without custom fields and metaData; of a description the first 200 characters. By status, assignee or both it costs what the whole list costs.',
  },
  ({ account, now }, answered) => ticketsOf(account, answered, now),
  withoutInternal,
);
