import { unassigned } from '../../people/users/unassigned.ts';
import type { IndexedFields } from '../../search/indexed-fields.ts';
import type { Lead } from './schema.ts';

export const indexedLeadFields: IndexedFields<Lead> = {
  resource: 'lead',
  names: ['id', 'firstName', 'lastName', 'email', 'phone', 'company', 'jobTitle', 'location'],
  texts: ['notes'],
  values: [
    'assignedTo',
    'teamId',
    'leadSourceId',
    'applicationId',
    'source',
    'currentPaymentProcessor',
    'processStage',
    'buyingRole',
    'interestedInSwitching',
    'archived',
    'createdBy',
    'externalKeyId',
    'externalId',
  ],
  always: { field: 'archived', values: [true, false] },
  times: { lastContacted: ({ lastContacted, createdAt }) => lastContacted ?? createdAt },
  absent: { assignedTo: unassigned },
};
