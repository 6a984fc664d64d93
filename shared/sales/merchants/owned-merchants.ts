import { reached } from '../../endpoints/reached.ts';
import type { OwnedRecords } from '../../people/ownership/owned-records.ts';
import { merchantUpdated } from './event-fields.ts';
import { ChangedMerchant, MerchantParams } from './schema.ts';
import { showChangedMerchant } from './show-merchant.ts';
import { merchants } from './store.ts';
import type { StoredMerchant } from './stored-merchant.ts';

/** The merchants, for the endpoints that set owner, team and participants. */
export const ownedMerchants: OwnedRecords<StoredMerchant, typeof MerchantParams, typeof ChangedMerchant> = {
  type: 'merchant',
  path: '/merchants/{merchantId}',
  params: MerchantParams,
  response: ChangedMerchant,
  emits: 'merchant_updated',
  read: (input) => reached(input, 'merchant', merchants.get(input.account, input.params.merchantId)),
  show: showChangedMerchant,
  replace: merchants.replace,
  updated: merchantUpdated,
};
