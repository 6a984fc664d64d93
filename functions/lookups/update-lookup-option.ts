import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { etagOf } from '../../shared/endpoints/response.ts';
import { checkParent, withStoredExpiry } from '../../shared/sales/lookups/rules.ts';
import {
  LookupOption,
  LookupOptionParams,
  LookupOptionPatch,
  LookupResponse,
} from '../../shared/sales/lookups/schema.ts';
import { lookups } from '../../shared/sales/lookups/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PUT',
  path: '/lookup/{table}/{field}/id/{id}',
  administratorOnly: 'writeLookups',
  params: LookupOptionParams,
  body: LookupOptionPatch,
  response: LookupResponse,
  record: LookupOption,
  writes: true,
  summary: 'Change the given fields of a lookup option',
  description: 'Null clears an optional field.',
  read: ({ account, params, body }) =>
    inParallel([lookups.getOf(account, params), lookups.readAncestors(account, body.parent_id, params.id)]),
  decide: async (request, [before, ancestors]) => {
    await request.checkReadOnly(() => before);
    const { params } = request;
    const body = withStoredExpiry(request.body, request.accountRecord);
    const after = revise(before, body, request);
    const moves = after.parent_id !== before.parent_id;
    if (moves) checkParent(body.parent_id, ancestors, params.id);
    // If the request changes nothing, a condition on the version still checks If-Match.
    const writes = before === after ? [lookups.unchanged(before)] : lookups.replace(before, after);
    return {
      response: { message: 'Lookup value updated', lookupValue: after },
      headers: etagOf(after),
      writes: [...writes, ...(moves ? lookups.ancestorsUnchanged(ancestors) : [])],
      events: [],
    };
  },
});
