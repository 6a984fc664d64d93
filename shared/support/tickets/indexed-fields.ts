import { unassigned } from '../../people/users/unassigned.ts';
import { indexedFields } from '../../search/indexed-fields.ts';
import { openDue } from '../../sla/clock.ts';
import { priorities, type SlaFigures } from '../../sla/schema.ts';
import type { TicketSummary } from './stored-ticket.ts';

export const indexedTicketFields = indexedFields<TicketSummary, keyof (TicketSummary & SlaFigures)>({
  resource: 'ticket',
  fields: {
    id: ['search'],
    createdAt: ['sort'],
    updatedAt: ['sort'],
    ticketNumber: ['search', 'sort'],
    ticketTypeId: ['value'],
    priority: ['filter', 'sort'],
    status: ['filter', 'sort'],
    category: ['filter', 'sort'],
    subject: ['search', 'sort'],
    source: ['filter'],
    requesterId: ['filter', 'search'],
    requesterName: ['search', 'sort'],
    requesterEmail: ['filter', 'search'],
    requesterPhone: ['search'],
    assignedTo: ['value'],
    participants: ['value'],
    merchantId: ['filter'],
    leadId: ['filter'],
    applicationId: ['filter'],
    midId: ['filter'],
    merchantName: ['search'],
    slaStatus: ['unindexed filter', 'sort'],
    assignedTeamId: ['filter'],
    requesterType: ['filter'],
    slaFirstResponseDue: ['before', 'sort'],
    slaResolutionDue: ['before', 'sort'],
    lastResponseAt: ['sort'],
    lastCustomerResponseAt: ['sort'],
    tags: ['value', 'search'],
    description: ['text'],
    createdBy: ['filter'],
  },
  always: { field: 'priority', values: priorities },
  times: {
    slaFirstResponseDue: ({ clock }) => openDue(clock, 'firstResponse'),
    slaResolutionDue: ({ clock }) => openDue(clock, 'resolution'),
  },
  absent: { assignedTo: unassigned },
});
