import type { IndexedFields } from '../../search/indexed-fields.ts';
import { processingStatuses } from './fields.ts';
import type { Merchant } from './schema.ts';

export const indexedMerchantFields: IndexedFields<Merchant> = {
  resource: 'merchant',
  names: ['merchantName', 'dba', 'legalName', 'mcc', 'merchantAccountId', 'agentName'],
  texts: ['mccDescription'],
  values: [
    'mcc',
    'status',
    'processingStatus',
    'riskLevel',
    'agentAccountId',
    'isoName',
    'applicationId',
    'createdBy',
  ],
  always: { field: 'processingStatus', values: processingStatuses },
};
