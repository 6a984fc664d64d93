import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApiError, notFound } from '../../shared/errors.ts';
import { sensitiveDataRevealed } from '../../shared/events/emit.ts';
import { decryptMerchant } from '../../shared/sales/merchants/encrypt-merchant.ts';
import { readChildren } from '../../shared/sales/merchants/read-children.ts';
import { MerchantDetails, MerchantParams, RevealQuery } from '../../shared/sales/merchants/schema.ts';
import { showMerchant, showParts } from '../../shared/sales/merchants/show-merchant.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { holdsPartOf, mayReach } from '../../shared/security/reach.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'GET',
  path: '/merchants/{merchantId}',
  permission: 'readMerchants',
  reach: 'merchant',
  proof: [{ purpose: 'reveal', ifQuery: 'reveal' }],
  sensitive: true,
  params: MerchantParams,
  query: RevealQuery,
  response: MerchantDetails,
  emits: ['application_sensitive_data_revealed'],
  summary: 'Read a merchant with its equipment, notes and documents',
  description:
    'Lists the newest 100 records of each kind. `reveal=true` shows sensitive values, and an event records the access.',
  read: ({ account, params: { merchantId } }) =>
    inParallel([merchants.find(account, merchantId), readChildren(account, merchantId)]),
  decide: async (request, [merchant, children]) => {
    const { query, principal, dataKeys } = request;
    if (query.reveal && !holdsPartOf(principal, 'writeMerchants')) throw new ApiError('permission_denied');
    if (!merchant) throw notFound('merchant', request.params.merchantId);
    await request.requireReach('merchant', merchant, merchant.id);
    if (query.reveal && !mayReach(principal, 'merchant', 'write', merchant))
      throw new ApiError('permission_denied');
    const values = query.reveal ? await decryptMerchant(merchant, dataKeys) : undefined;
    return {
      response: { ...showMerchant(merchant), ...showParts(merchant, values), ...children },
      writes: [],
      events: sensitiveDataRevealed(merchants, merchants.forEvents(merchant), [...(values?.keys() ?? [])]),
    };
  },
});
