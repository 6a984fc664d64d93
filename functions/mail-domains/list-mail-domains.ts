import { MailDomain } from '../../shared/correspondence/domains/schema.ts';
import { mailDomains } from '../../shared/correspondence/domains/store.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/mail-domains',
    administratorOnly: true,
    item: MailDomain,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      domain: ['filter', 'search', 'sort'],
      unicodeDomain: ['search'],
      status: ['filter', 'sort'],
    },
    summary: 'List mail domains',
  },
  ({ account }) => mailDomains.listed(account),
);
