import { filterByTime, listing } from '../../shared/endpoints/listing.ts';
import { assigneeFilter } from '../../shared/people/users/assignee-filter.ts';
import { indexedLeadFields } from '../../shared/sales/leads/indexed-fields.ts';
import { leadPartitions, leadsOf } from '../../shared/sales/leads/list-leads.ts';
import { Lead } from '../../shared/sales/leads/schema.ts';

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
      'archived',
      'createdBy',
    ],
    customFilters: {
      assignedTo: assigneeFilter,
      lastContactedBefore: filterByTime(
        indexedLeadFields,
        'lastContacted',
        'Only leads without contact since this time. If a lead was never contacted, its creation counts as a contact.',
      ),
    },
    namesUsers: true,
    indexed: ['assignedTo'],
    partitions: leadPartitions,
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
    indexedFields: indexedLeadFields,
    summary: 'List leads',
  },
  ({ account, query }, { assignedTo }) => leadsOf(account, assignedTo !== undefined, query.assignedTo),
);
