import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { mappingChanged } from '../../shared/support/ticket-type-mappings/events.ts';
import { replaceMapping, showMapping, typeOf } from '../../shared/support/ticket-type-mappings/join-types.ts';
import {
  TicketTypeMapping,
  TicketTypeMappingInput,
} from '../../shared/support/ticket-type-mappings/schema.ts';
import { mappings } from '../../shared/support/ticket-type-mappings/store.ts';
import { ticketTypes } from '../../shared/support/ticket-types/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PUT',
  path: '/integrations/partner/ticket-type-mappings/{id}',
  permission: 'writeIntegrations',
  params: RecordParams,
  body: TicketTypeMappingInput,
  response: TicketTypeMapping,
  errors: ['ticket_type_unknown', 'mapping_exists'],
  happenings: ['ticket_type_mapping_updated'],
  summary: 'Replace the mapping of a partner category',
  read: ({ account, params, body }) =>
    inParallel([
      mappings.get(account, params.id),
      ticketTypes.findByReference(account, body.serviceTicketTypeId),
    ]),
  decide: async (request, [before, type]) => {
    const { principal } = request;
    await request.checkReadOnly(async () => showMapping(principal, before, await typeOf(before)));
    const after = revise(before, replaceMapping(before, request.body, type), request);
    return {
      response: showMapping(principal, after, type),
      writes: mappings.replace(before, after),
      events: before === after ? [] : mappingChanged('ticket_type_mapping_updated', after),
    };
  },
});
