import { unassigned } from '../../../people/users/unassigned.ts';
import type { IndexedFields } from '../../../search/indexed-fields.ts';
import type { ApplicationSummary } from './schema.ts';

export const indexedApplicationFields: IndexedFields<ApplicationSummary> = {
  resource: 'application',
  names: ['id', 'dbaName', 'dbaContact', 'ownerNames', 'dbaEmail', 'dbaPhone', 'dbaCity'],
  texts: [],
  values: [
    'status',
    'priority',
    'assignedTo',
    'repcode',
    'dbaState',
    'mccNumber',
    'isComplete',
    'leadId',
    'merchantId',
    'decision',
    'createdBy',
    'externalKeyId',
    'externalId',
  ],
  always: { field: 'isComplete', values: [true, false] },
  absent: { assignedTo: unassigned },
};
