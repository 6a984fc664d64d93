import { indexedFields } from '../../search/indexed-fields.ts';
import { processingStatuses } from './fields.ts';
import type { MerchantSummary } from './summarize-merchant.ts';

export const indexedMerchantFields = indexedFields<MerchantSummary>({
  resource: 'merchant',
  fields: {
    id: ['search'],
    createdAt: ['sort'],
    updatedAt: ['sort'],
    activatedDate: ['sort'],
    lastProcessingDate: ['sort'],
    merchantName: ['filter', 'search', 'sort'],
    dba: ['filter', 'search', 'sort'],
    legalName: ['filter', 'search', 'sort'],
    mcc: ['filter', 'value', 'search', 'sort'],
    status: ['filter', 'sort'],
    processingStatus: ['filter', 'sort'],
    riskLevel: ['filter', 'sort'],
    merchantAccountId: ['filter', 'search'],
    agentAccountId: ['filter'],
    agentName: ['filter', 'search', 'sort'],
    isoName: ['filter', 'sort'],
    applicationId: ['filter'],
    principalNames: ['search'],
    principalEmails: ['search'],
    principalPhones: ['search'],
    cities: ['search'],
    midNumbers: ['search'],
    mccDescription: ['text'],
    createdBy: ['filter'],
    ownerId: ['filter'],
    teamId: ['filter'],
    participants: ['value'],
  },
  always: { field: 'processingStatus', values: processingStatuses },
});
