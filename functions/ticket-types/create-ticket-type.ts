import { createRecord } from '../../shared/endpoints/record-endpoints.ts';
import { settingsFrom } from '../../shared/support/ticket-types/replace-type.ts';
import { requireRotation } from '../../shared/support/ticket-types/require-rotation.ts';
import { TicketType, TicketTypeInput } from '../../shared/support/ticket-types/schema.ts';
import { ticketTypes } from '../../shared/support/ticket-types/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default createRecord(ticketTypes, {
  path: '/ticket-types',
  permission: 'writeTicketTypes',
  body: TicketTypeInput,
  response: TicketType,
  errors: ['rotation_unknown'],
  emits: 'ticket_type_created',
  refersTo: ({ account, body }) => requireRotation(account, body.rotationId),
  record: (request) => ({
    ...settingsFrom(request.body),
    isActive: request.body.isActive ?? true,
    ...newRecord(request),
  }),
  summary: 'Create a ticket type',
  description: 'A ticket type has at most 50 custom fields.',
});
