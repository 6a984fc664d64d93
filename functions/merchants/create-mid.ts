import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireReachedMerchant } from '../../shared/sales/merchants/reached-merchant.ts';
import { MerchantParams } from '../../shared/sales/merchants/schema.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { midCreated } from '../../shared/sales/mids/events.ts';
import { Mid, MidInput } from '../../shared/sales/mids/schema.ts';
import { mids } from '../../shared/sales/mids/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/merchants/{merchantId}/mids',
  permission: 'writeMerchants',
  reach: 'merchant',
  params: MerchantParams,
  body: MidInput,
  response: Mid,
  success: 'created',
  errors: ['mid_taken', 'quota_exceeded'],
  emits: ['mid_created'],
  summary: 'Add a MID to a merchant',
  description: 'A merchant can have at most 50 MIDs.',
  read: (input) => requireReachedMerchant(input, input.params.merchantId),
  decide: (request) => {
    const mid = { ...newRecord(request), status: 'active' as const, ...request.body, ...request.params };
    return {
      response: mid,
      writes: [merchants.requireExists(mid.accountId, mid.merchantId), ...mids.insert(mid)],
      events: midCreated(mid),
    };
  },
});
