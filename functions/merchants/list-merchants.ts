import { listing } from '../../shared/endpoints/listing.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { assignees } from '../../shared/people/users/assignee-filter.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { merchantsWithMids, midFilter, searchedMerchants } from '../../shared/sales/merchants/find-by-mid.ts';
import { indexedMerchantFields } from '../../shared/sales/merchants/indexed-fields.ts';
import { Merchant } from '../../shared/sales/merchants/schema.ts';

export default listing(
  {
    path: '/merchants',
    permission: 'readMerchants',
    reach: 'merchant',
    item: Merchant,
    customFilters: { mid: midFilter },
    references: { applicationId: applications, ownerId: assignees, teamId: teams },
    indexedFields: indexedMerchantFields,
    summary: 'List merchants',
    description: 'Long texts are truncated. `search` finds a MID only by its whole number.',
  },
  ({ account, query, reach }) =>
    query.mid === undefined
      ? searchedMerchants(account, query.search, reach)
      : merchantsWithMids(account, [query.mid].flat().map(String), reach),
);
