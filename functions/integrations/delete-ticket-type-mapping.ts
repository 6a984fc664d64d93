import { endpoint } from '../../shared/http/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { readMapping } from '../../shared/ticket-type-mappings/join-types.ts';
import { TicketTypeMapping } from '../../shared/ticket-type-mappings/schema.ts';
import { mappings } from '../../shared/ticket-type-mappings/store.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/integrations/partner/ticket-type-mappings/{id}',
    permission: 'writeIntegrations',
    params: RecordParams,
    response: TicketTypeMapping,
    writes: true,
    summary: 'Delete the mapping of a category of a partner',
  },
  {
    read: ({ account, params }) => readMapping(account, params.id),
    decide: ({ now }, { mapping, shown }) => ({
      response: shown,
      writes: mappings.delete(mapping, now),
      events: [],
    }),
  },
);
