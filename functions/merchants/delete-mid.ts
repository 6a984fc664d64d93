import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { midDeleted } from '../../shared/sales/mids/events.ts';
import { Mid, MidParams } from '../../shared/sales/mids/schema.ts';
import { mids } from '../../shared/sales/mids/store.ts';

export default endpoint({
  method: 'DELETE',
  path: '/merchants/{merchantId}/mids/{midId}',
  permission: 'writeMerchants',
  params: MidParams,
  response: Mid,
  emits: ['mid_deleted'],
  summary: 'Delete a MID; its number can be used again',
  read: ({ account, params }) => mids.getOf(account, params.merchantId, params.midId),
  decide: ({ now }, mid) => ({ response: mid, writes: mids.delete(mid, now), events: midDeleted(mid) }),
});
