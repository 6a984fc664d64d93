import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { mappingChanged } from '../../shared/support/ticket-type-mappings/events.ts';
import { readMapping, showMapping } from '../../shared/support/ticket-type-mappings/join-types.ts';
import { TicketTypeMapping } from '../../shared/support/ticket-type-mappings/schema.ts';
import { mappings } from '../../shared/support/ticket-type-mappings/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/integrations/partner/ticket-type-mappings/{id}',
  permission: 'writeIntegrations',
  params: RecordParams,
  response: TicketTypeMapping,
  happenings: ['ticket_type_mapping_deleted'],
  summary: 'Delete the mapping of a partner category',
  read: ({ account, params }) => readMapping(account, params.id),
  decide: ({ principal, now }, { stored, type }) => ({
    response: showMapping(principal, stored, type),
    writes: mappings.delete(stored, now),
    events: mappingChanged('ticket_type_mapping_deleted', stored),
  }),
});
