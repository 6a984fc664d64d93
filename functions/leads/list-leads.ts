import { listing } from '../../shared/endpoints/listing.ts';
import { assigneeFilter } from '../../shared/people/users/assignee-filter.ts';
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
    customFilters: { assignedTo: assigneeFilter },
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
    searchable: ['firstName', 'lastName', 'email', 'phone', 'company', 'jobTitle', 'location', 'notes'],
    summary: 'List leads',
    description:
      'In the default order, a list that is filtered only by assignedTo uses an index, so it counts as one request toward the rate limit. This does not apply to `inactive`.',
  },
  ({ account, query }, { assignedTo }) => leadsOf(account, assignedTo !== undefined, query.assignedTo),
);
