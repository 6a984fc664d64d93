import { domainsOf, searchedDomainFields } from '../../shared/domains/list-domains.ts';
import { VanityDomain } from '../../shared/domains/schema.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/domains',
    administratorOnly: true,
    item: VanityDomain,
    filters: ['domain', 'status'],
    sorts: ['createdAt', 'updatedAt', 'domain', 'status'],
    searchable: searchedDomainFields,
    summary: 'List vanity domains',
  },
  ({ account }) => domainsOf(account),
);
