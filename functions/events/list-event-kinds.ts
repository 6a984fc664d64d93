import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { EventKindEntry, knownKinds } from '../../shared/messaging/recipients/schema.ts';
import { array, integer, object } from '../../shared/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/event-kinds',
  access: 'session',
  response: object({ data: array(EventKindEntry), totalCount: integer({ examples: [1] }) }),
  summary: 'List all kinds of events',
  description:
    'Returns the subject types, data schema, permissions and default recipients of every kind of event. For `no_event_name`, also returns the happenings with their schemas.',
  decide: () => ({ response: { data: knownKinds, totalCount: knownKinds.length } }),
});
