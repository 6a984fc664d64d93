import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { replaceType } from '../../shared/support/ticket-types/replace-type.ts';
import { requireRotation } from '../../shared/support/ticket-types/require-rotation.ts';
import {
  TicketType,
  TicketTypeParams,
  TicketTypeReplacement,
} from '../../shared/support/ticket-types/schema.ts';
import { ticketTypes } from '../../shared/support/ticket-types/store.ts';

export default patchRecord(ticketTypes, {
  method: 'PUT',
  path: '/ticket-types/{id}',
  params: TicketTypeParams,
  permission: 'writeTicketTypes',
  body: TicketTypeReplacement,
  response: TicketType,
  errors: ['rotation_unknown', 'custom_field_type_fixed'],
  emits: 'ticket_type_updated',
  refersTo: { field: 'rotationId', check: ({ account, body }) => requireRotation(account, body.rotationId) },
  set: ({ body }, before) => replaceType(before, body),
  summary: 'Replace a ticket type',
  description:
    'Omitted fields are set to their defaults, except isActive, which does not change. Existing tickets do not change.',
});
