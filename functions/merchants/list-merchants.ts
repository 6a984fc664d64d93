import { listing } from '../../shared/endpoints/listing.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { merchantsWithMids, midFilter, searchedMerchants } from '../../shared/sales/merchants/find-by-mid.ts';
import { indexedMerchantFields } from '../../shared/sales/merchants/indexed-fields.ts';
import { Merchant } from '../../shared/sales/merchants/schema.ts';

const sorts = [
  'createdAt',
  'updatedAt',
  'activatedDate',
  'lastProcessingDate',
  'merchantName',
  'dba',
  'legalName',
  'mcc',
  'status',
  'processingStatus',
  'riskLevel',
  'agentName',
  'isoName',
] as const;

export default listing(
  {
    path: '/merchants',
    permission: 'readMerchants',
    item: Merchant,
    filters: [
      'merchantName',
      'dba',
      'legalName',
      'mcc',
      'status',
      'processingStatus',
      'riskLevel',
      'merchantAccountId',
      'agentAccountId',
      'agentName',
      'isoName',
      'applicationId',
      'createdBy',
    ],
    customFilters: { mid: midFilter },
    references: { applicationId: applications },
    sorts,
    indexedFields: indexedMerchantFields,
    summary: 'List merchants',
    description: 'Long texts are truncated. `search` finds a MID only by its whole number.',
  },
  ({ account, query }) =>
    query.mid === undefined
      ? searchedMerchants(account, query.search)
      : merchantsWithMids(account, [query.mid].flat().map(String)),
);
