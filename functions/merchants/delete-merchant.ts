import { deleteRecord } from '../../shared/http/record-endpoints.ts';
import { Merchant } from '../../shared/merchants/schema.ts';
import { merchants } from '../../shared/merchants/store.ts';

export default deleteRecord(merchants, {
  path: '/merchants/{merchantId}',
  permission: 'writeMerchants',
  response: Merchant,
  errors: ['merchant_has_mids'],
  emits: 'merchant_deleted',
  summary: 'Delete a merchant that has no MIDs',
  description: 'Its notes, equipment and documents go a little later.',
});
