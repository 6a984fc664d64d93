import { listing } from '../../shared/endpoints/listing.ts';
import { assigneeFilter, assignees, listAssignedTo } from '../../shared/people/users/assignee-filter.ts';
import { indexedApplicationFields } from '../../shared/sales/applications/record/indexed-fields.ts';
import { ApplicationSummary } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';

const shared = ['status', 'priority', 'repcode', 'dbaName', 'dbaCity', 'dbaState', 'mccNumber'] as const;
const dates = ['createdAt', 'updatedAt', 'submittedAt', 'decidedAt', 'completedAt'] as const;

export default listing(
  {
    path: '/applications',
    permission: 'readApplications',
    item: ApplicationSummary,
    filters: [
      ...shared,
      'dbaContact',
      'dbaEmail',
      'dbaPhone',
      'isComplete',
      'leadId',
      'merchantId',
      'decision',
      'createdBy',
      'externalKeyId',
      'externalId',
    ],
    customFilters: { assignedTo: assigneeFilter },
    references: { assignedTo: assignees, leadId: leads, merchantId: merchants },
    rights: ['emails:find'],
    sorts: [...shared, ...dates, 'assignedTo', 'highMonthlyVolume', 'completeness'],
    indexedFields: indexedApplicationFields,
    summary: 'List applications',
  },
  ({ account, query }) => listAssignedTo(account, query.assignedTo, () => applications.listOf(account)),
);
