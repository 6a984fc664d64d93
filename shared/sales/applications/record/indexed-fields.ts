import { unassigned } from '../../../people/users/unassigned.ts';
import { indexedFields } from '../../../search/indexed-fields.ts';
import type { ApplicationSummary } from './schema.ts';

export const indexedApplicationFields = indexedFields<ApplicationSummary>({
  resource: 'application',
  fields: {
    id: ['search'],
    status: ['filter', 'sort'],
    priority: ['filter', 'sort'],
    repcode: ['filter', 'sort'],
    dbaName: ['filter', 'search', 'sort'],
    dbaContact: ['filter', 'search'],
    ownerNames: ['search'],
    dbaEmail: ['filter', 'search'],
    dbaPhone: ['filter', 'search'],
    dbaCity: ['filter', 'search', 'sort'],
    dbaState: ['filter', 'sort'],
    mccNumber: ['filter', 'sort'],
    isComplete: ['filter'],
    leadId: ['filter'],
    merchantId: ['filter'],
    decision: ['filter'],
    createdAt: ['sort'],
    updatedAt: ['sort'],
    submittedAt: ['sort'],
    decidedAt: ['sort'],
    completedAt: ['sort'],
    assignedTo: ['value', 'sort'],
    highMonthlyVolume: ['sort'],
    completeness: ['sort'],
    createdBy: ['filter'],
    externalKeyId: ['filter'],
    externalId: ['filter'],
  },
  always: { field: 'isComplete', values: [true, false] },
  absent: { assignedTo: unassigned },
});
