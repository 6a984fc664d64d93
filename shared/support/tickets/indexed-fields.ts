import { unassigned } from '../../people/users/unassigned.ts';
import type { IndexedFields } from '../../search/indexed-fields.ts';
import { openDue } from '../../sla/clock.ts';
import { priorities } from '../../sla/schema.ts';
import type { TicketSummary } from './stored-ticket.ts';

export const indexedTicketFields: IndexedFields<TicketSummary> = {
  resource: 'ticket',
  names: [
    'id',
    'ticketNumber',
    'subject',
    'requesterId',
    'requesterName',
    'requesterEmail',
    'requesterPhone',
    'merchantName',
    'tags',
  ],
  texts: ['description'],
  values: [
    'status',
    'priority',
    'category',
    'source',
    'assignedTo',
    'assignedTeamId',
    'requesterType',
    'merchantId',
    'leadId',
    'applicationId',
    'midId',
    'ticketTypeId',
    'tags',
    'createdBy',
  ],
  always: { field: 'priority', values: priorities },
  times: {
    slaFirstResponseDue: ({ clock }) => openDue(clock, 'firstResponse'),
    slaResolutionDue: ({ clock }) => openDue(clock, 'resolution'),
  },
  absent: { assignedTo: unassigned },
};
