import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { etagOf } from '../../shared/endpoints/response.ts';
import { LookupOptionParams, LookupResponse } from '../../shared/sales/lookups/schema.ts';
import { lookups } from '../../shared/sales/lookups/store.ts';

export default endpoint({
  method: 'DELETE',
  path: '/lookup/{table}/{field}/id/{id}',
  administratorOnly: 'writeLookups',
  params: LookupOptionParams,
  response: LookupResponse,
  writes: true,
  summary: 'Delete a lookup option; its child options are then treated as having no parent',
  read: ({ account, params }) => lookups.getOf(account, params),
  decide: ({ now }, option) => ({
    response: { message: 'Lookup value deleted', lookupValue: option },
    headers: etagOf(option),
    writes: lookups.delete(option, now),
    events: [],
  }),
});
