import { VanityDomain } from '../../shared/domains/schema.ts';
import { showDomain } from '../../shared/domains/show-domain.ts';
import { vanityDomains } from '../../shared/domains/store.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { shortListSource } from '../../shared/table/list-source.ts';

export default listing(
  {
    path: '/domains',
    administratorOnly: true,
    item: VanityDomain,
    filters: ['domain', 'status'],
    sorts: ['createdAt', 'updatedAt', 'domain', 'status'],
    searchable: ['domain', 'unicodeDomain'],
    summary: 'List vanity domains',
  },
  ({ account }) =>
    shortListSource(async () =>
      (await vanityDomains.all(account)).map(({ domain, proof }) => showDomain(domain, proof)),
    ),
);
