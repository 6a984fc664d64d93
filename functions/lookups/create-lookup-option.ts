import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { etagOf } from '../../shared/endpoints/response.ts';
import { checkParent, withStoredExpiry } from '../../shared/sales/lookups/rules.ts';
import { LookupFieldParams, LookupOptionInput, LookupResponse } from '../../shared/sales/lookups/schema.ts';
import { lookups } from '../../shared/sales/lookups/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/lookup/{table}/{field}',
  administratorOnly: 'writeLookups',
  params: LookupFieldParams,
  body: LookupOptionInput,
  response: LookupResponse,
  success: 'created',
  errors: ['quota_exceeded'],
  writes: true,
  summary: 'Add an option to a lookup field',
  description: 'The first option creates the field. A field can have at most 1,000 options.',
  read: ({ account, body }) => lookups.readAncestors(account, body.parent_id),
  decide: (request, ancestors) => {
    const { params } = request;
    const body = withStoredExpiry(request.body, request.accountRecord);
    checkParent(body.parent_id, ancestors);
    const option = { is_active: true, ...body, ...params, ...newRecord(request) };
    return {
      response: { message: 'Lookup value created', lookupValue: option },
      headers: etagOf(option),
      writes: [...lookups.insert(option), ...lookups.ancestorsUnchanged(ancestors)],
      events: [],
    };
  },
});
