import { listing } from '../../shared/endpoints/listing.ts';
import { Lead } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';

export default listing(
  {
    path: '/leads',
    permission: 'readLeads',
    item: Lead,
    filters: [
      'teamId',
      'leadSourceId',
      'applicationId',
      'email',
      'phone',
      'company',
      'source',
      'location',
      'currentPaymentProcessor',
      'processStage',
      'buyingRole',
      'interestedInSwitching',
      'assignedTo',
      'archived',
      'createdBy',
    ],
    sorts: [
      'createdAt',
      'updatedAt',
      'firstName',
      'lastName',
      'email',
      'company',
      'processStage',
      'numberOfEmployees',
      'monthlyTransactionVolume',
      'lastContacted',
      'archived',
    ],
    searchable: ['firstName', 'lastName', 'email', 'phone', 'company', 'jobTitle', 'location', 'notes'],
    summary: 'List leads',
  },
  ({ account }) => leads.listOf(account),
);
