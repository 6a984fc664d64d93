import { domainFields, domainsOf } from '../../shared/domains/list-domains.ts';
import { VanityDomain } from '../../shared/domains/schema.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/domains',
    administratorOnly: true,
    item: VanityDomain,
    fields: domainFields,
    summary: 'List vanity domains',
  },
  ({ account }) => domainsOf(account),
);
