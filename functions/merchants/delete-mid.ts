import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ofReachedMerchant } from '../../shared/sales/merchants/reached-merchant.ts';
import { midDeleted } from '../../shared/sales/mids/events.ts';
import { Mid, MidParams } from '../../shared/sales/mids/schema.ts';
import { mids } from '../../shared/sales/mids/store.ts';

export default endpoint({
  method: 'DELETE',
  path: '/merchants/{merchantId}/mids/{midId}',
  permission: 'writeMerchants',
  reach: 'merchant',
  params: MidParams,
  response: Mid,
  emits: ['mid_deleted'],
  summary: 'Delete a MID; its number can be used again',
  read: (input) =>
    ofReachedMerchant(input, mids.getOf(input.account, input.params.merchantId, input.params.midId)),
  decide: ({ now }, mid) => ({ response: mid, writes: mids.delete(mid, now), events: midDeleted(mid) }),
});
