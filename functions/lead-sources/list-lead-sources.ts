import { listing } from '../../shared/endpoints/listing.ts';
import { LeadSource } from '../../shared/sales/lead-sources/schema.ts';
import { leadSources } from '../../shared/sales/lead-sources/store.ts';

export default listing(
  {
    path: '/lead-sources',
    permission: 'readLeadSources',
    item: LeadSource,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      name: ['filter', 'search', 'sort'],
      description: ['search'],
      teamId: ['filter', 'sort'],
      active: ['filter', 'sort'],
      createdBy: ['filter'],
    },
    summary: 'List lead sources',
  },
  ({ account }) => leadSources.listOf(account),
);
