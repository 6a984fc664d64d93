import { endpoint } from '../../shared/http/endpoint.ts';
import { midDeleted } from '../../shared/mids/events.ts';
import { Mid, MidParams } from '../../shared/mids/schema.ts';
import { mids } from '../../shared/mids/store.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/merchants/{merchantId}/mids/{midId}',
    permission: 'writeMerchants',
    params: MidParams,
    response: Mid,
    emits: ['mid_deleted'],
    summary: 'Delete a MID; its number may be given again',
  },
  {
    read: ({ account, params }) => mids.getOf(account, params.merchantId, params.midId),
    decide: ({ now }, mid) => ({
      response: mid,
      writes: mids.delete(mid, now),
      events: midDeleted(mid),
    }),
  },
);
