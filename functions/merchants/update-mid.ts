import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApiError } from '../../shared/errors.ts';
import { ofReachedMerchant, requireReachedTarget } from '../../shared/sales/merchants/reached-merchant.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { midUpdated } from '../../shared/sales/mids/events.ts';
import { Mid, MidParams, MidPatch } from '../../shared/sales/mids/schema.ts';
import { mids } from '../../shared/sales/mids/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PATCH',
  path: '/merchants/{merchantId}/mids/{midId}',
  permission: 'writeMerchants',
  reach: 'merchant',
  params: MidParams,
  body: MidPatch,
  response: Mid,
  errors: ['mid_taken', 'merchant_unknown', 'quota_exceeded'],
  emits: ['mid_updated', 'mid_assigned', 'mid_activated', 'mid_suspended'],
  summary: 'Change the given fields of a MID, or move it to another merchant',
  read: async (input) => {
    const { account, params, body } = input;
    const [mid] = await inParallel([
      ofReachedMerchant(input, mids.getOf(account, params.merchantId, params.midId)),
      body.merchantId === params.merchantId || requireReachedTarget(input, body.merchantId),
    ]);
    return mid;
  },
  decide: async (request, before) => {
    await request.checkReadOnly(() => before);
    const after = revise(before, request.body, request);
    const { accountId, merchantId } = after;
    const moves = merchantId !== before.merchantId;
    const target = merchants.requireExists(accountId, merchantId, new ApiError('merchant_unknown'));
    return {
      response: after,
      writes: [...(moves ? [target] : []), ...mids.replace(before, after)],
      events: midUpdated(before, after),
    };
  },
});
