import { listing } from '../../shared/endpoints/listing.ts';
import { assigneeFilter } from '../../shared/people/users/assignee-filter.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { indexedLeadFields } from '../../shared/sales/leads/indexed-fields.ts';
import {
  lastContactedBefore,
  leadPartitions,
  leadReferences,
  leadsOf,
} from '../../shared/sales/leads/list-leads.ts';
import { Lead } from '../../shared/sales/leads/schema.ts';

export default listing(
  {
    path: '/leads',
    permission: 'readLeads',
    reach: 'lead',
    item: Lead,
    customFilters: { assignedTo: assigneeFilter, lastContactedBefore },
    references: { ...leadReferences, applicationId: applications },
    rights: ['emails:find'],
    indexed: ['assignedTo'],
    partitions: leadPartitions,
    indexedFields: indexedLeadFields,
    summary: 'List leads',
  },
  ({ account, query }, { assignedTo }) => leadsOf(account, assignedTo !== undefined, query.assignedTo),
);
