import { listing } from '../../shared/endpoints/listing.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { assigneeFilter, assignees, listAssignedTo } from '../../shared/people/users/assignee-filter.ts';
import { indexedApplicationFields } from '../../shared/sales/applications/record/indexed-fields.ts';
import { ApplicationSummary } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';

export default listing(
  {
    path: '/applications',
    permission: 'readApplications',
    reach: 'application',
    item: ApplicationSummary,
    customFilters: { assignedTo: assigneeFilter },
    references: {
      assignedTo: assignees,
      ownerId: assignees,
      teamId: teams,
      leadId: leads,
      merchantId: merchants,
    },
    rights: ['emails:find'],
    indexedFields: indexedApplicationFields,
    summary: 'List applications',
  },
  ({ account, query }) => listAssignedTo(account, query.assignedTo, () => applications.listOf(account)),
);
