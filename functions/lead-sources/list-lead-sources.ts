import { listing } from '../../shared/endpoints/listing.ts';
import { LeadSource } from '../../shared/sales/lead-sources/schema.ts';
import { leadSources } from '../../shared/sales/lead-sources/store.ts';

export default listing(
  {
    path: '/lead-sources',
    permission: 'readLeadSources',
    item: LeadSource,
    filters: ['active', 'name', 'teamId', 'createdBy'],
    sorts: ['createdAt', 'updatedAt', 'name', 'teamId', 'active'],
    searchable: ['name', 'description'],
    summary: 'List lead sources',
  },
  ({ account }) => leadSources.listOf(account),
);
