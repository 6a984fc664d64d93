import { unassigned } from '../../people/users/unassigned.ts';
import { indexedFields } from '../../search/indexed-fields.ts';
import type { Lead } from './schema.ts';

export const indexedLeadFields = indexedFields<Lead>({
  resource: 'lead',
  fields: {
    id: ['search'],
    createdAt: ['sort'],
    updatedAt: ['sort'],
    firstName: ['search', 'sort'],
    lastName: ['search', 'sort'],
    teamId: ['filter'],
    leadSourceId: ['filter'],
    assignedTo: ['value'],
    applicationId: ['filter'],
    email: ['filter', 'search', 'sort'],
    phone: ['filter', 'search'],
    company: ['filter', 'search', 'sort'],
    jobTitle: ['search'],
    source: ['filter'],
    location: ['filter', 'search'],
    currentPaymentProcessor: ['filter'],
    processStage: ['filter', 'sort'],
    buyingRole: ['filter'],
    notes: ['text'],
    numberOfEmployees: ['sort'],
    monthlyTransactionVolume: ['sort'],
    interestedInSwitching: ['filter'],
    lastContacted: ['before', 'sort'],
    archived: ['filter', 'sort'],
    createdBy: ['filter'],
    externalKeyId: ['filter'],
    externalId: ['filter'],
  },
  always: { field: 'archived', values: [true, false] },
  times: { lastContacted: ({ lastContacted, createdAt }) => lastContacted ?? createdAt },
  absent: { assignedTo: unassigned },
});
