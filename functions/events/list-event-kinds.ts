import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { knownKinds } from '../../shared/messaging/recipients/known-kinds.ts';
import { EventKindEntry } from '../../shared/messaging/recipients/schema.ts';
import { array, integer, object } from '../../shared/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/event-kinds',
  access: 'session',
  response: object({ data: array(EventKindEntry), totalCount: integer({ examples: [1] }) }),
  summary: 'List every kind of event there is',
  description:
    'The closed catalogue: what an event of a kind is about, what it carries, and who hears of it.',
  decide: () => ({ response: { data: knownKinds, totalCount: knownKinds.length } }),
});
