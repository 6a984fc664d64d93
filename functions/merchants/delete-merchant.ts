import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Merchant } from '../../shared/sales/merchants/schema.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';

export default deleteRecord(merchants, {
  path: '/merchants/{merchantId}',
  permission: 'writeMerchants',
  reach: 'merchant',
  response: Merchant,
  errors: ['merchant_has_mids'],
  emits: 'merchant_deleted',
  summary: 'Delete a merchant that has no MIDs',
  description: 'Notes, equipment and documents are deleted in the background.',
});
