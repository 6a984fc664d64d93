import type { IndexedFields } from '../../search/indexed-fields.ts';
import { processingStatuses } from './fields.ts';
import type { MerchantSummary } from './summarize-merchant.ts';

export const indexedMerchantFields: IndexedFields<MerchantSummary> = {
  resource: 'merchant',
  names: [
    'id',
    'merchantName',
    'dba',
    'legalName',
    'mcc',
    'merchantAccountId',
    'agentName',
    'principalNames',
    'principalEmails',
    'principalPhones',
    'cities',
    'midNumbers',
  ],
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
