import { listing } from '../../shared/endpoints/listing.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { merchantsWithMids, midFilter } from '../../shared/sales/merchants/find-by-mid.ts';
import { indexedMerchantFields } from '../../shared/sales/merchants/indexed-fields.ts';
import { Merchant } from '../../shared/sales/merchants/schema.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';

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
    description: 'Long texts are truncated.',
  },
  ({ account, query }) =>
    query.mid === undefined
      ? merchants.listOf(account)
      : merchantsWithMids(account, [query.mid].flat().map(String)),
);
