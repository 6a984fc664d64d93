import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { mappingChanged } from '../../shared/support/ticket-type-mappings/events.ts';
import { mappingFrom, showMapping } from '../../shared/support/ticket-type-mappings/join-types.ts';
import {
  TicketTypeMapping,
  TicketTypeMappingInput,
} from '../../shared/support/ticket-type-mappings/schema.ts';
import { mappings } from '../../shared/support/ticket-type-mappings/store.ts';
import { requireTicketType } from '../../shared/support/ticket-types/require-ticket-type.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/integrations/partner/ticket-type-mappings',
  permission: 'writeIntegrations',
  body: TicketTypeMappingInput,
  response: TicketTypeMapping,
  success: 'created',
  errors: ['ticket_type_unknown', 'mapping_exists', 'quota_exceeded'],
  happenings: ['ticket_type_mapping_created'],
  summary: 'Map a partner category to a ticket type',
  description: 'An account has at most 500 mappings, and at most one per partner category.',
  read: ({ account, body }) => requireTicketType(account, 'serviceTicketTypeId', body.serviceTicketTypeId),
  decide: (request, type) => {
    const mapping = { ...mappingFrom(request.body, type), ...newRecord(request) };
    return {
      response: showMapping(request.principal, mapping, type),
      writes: mappings.insert(mapping),
      events: mappingChanged('ticket_type_mapping_created', mapping),
    };
  },
});
