import { listing } from '../../shared/http/listing.ts';
import { LeadSource } from '../../shared/lead-sources/schema.ts';
import { leadSources } from '../../shared/lead-sources/store.ts';

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
