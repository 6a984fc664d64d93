import type { DocumentResource } from '../../documents/document-resource.ts';
import { MerchantDocument } from '../../documents/schema.ts';
import { merchantDocuments, showMerchantDocument } from '../../documents/store.ts';
import { asRecordId } from '../../id/mint.ts';
import { recordId } from '../../schema.ts';
import { merchants } from './store.ts';

/** The documents of merchants. Documents can be changed at any time, and their changes do not affect the merchant. */
export const documentsOfMerchants: DocumentResource<void> = {
  parent: {
    type: 'merchant',
    idFrom: asRecordId,
    get: (account, id) => merchants.require(account, Number(id)),
    getReached: (account, id) => merchants.getSummary(account, Number(id)),
    checkAcceptsFiles: () => undefined,
    checkKey: () => undefined,
  },
  store: merchantDocuments,
  path: '/merchants/{merchantId}',
  params: { merchantId: recordId() },
  keyName: 'type',
  item: MerchantDocument,
  show: showMerchantDocument,
  reach: 'merchant',
  permissions: { read: 'readMerchants', write: 'writeMerchants', review: 'writeMerchants' },
};
