import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { saveConnection } from '../../shared/partner/save-connection.ts';
import {
  PartnerConnection,
  PartnerConnectionInput,
  SavedPartnerConnection,
} from '../../shared/partner/schema.ts';
import { showConnection } from '../../shared/partner/show-connection.ts';
import { connections } from '../../shared/partner/store.ts';
import { requireTicketType } from '../../shared/support/ticket-types/require-ticket-type.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'PUT',
  path: '/integrations/partner/connection',
  permission: 'writeIntegrations',
  proof: 'secrets',
  sensitive: true,
  body: PartnerConnectionInput,
  response: SavedPartnerConnection,
  record: PartnerConnection,
  errors: ['ticket_type_unknown'],
  happenings: ['partner_connection_created', 'partner_connection_updated'],
  summary: 'Create or replace the connection to the partner',
  description:
    'An account has at most one connection. The response contains the secret only if the request created the connection. An omitted `publicKey` or `defaultTicketTypeId` is removed.',
  read: ({ account, body: { defaultTicketTypeId: type } }) =>
    inParallel([
      connections.findWithHealth(account),
      type ? requireTicketType(account, 'defaultTicketTypeId', type) : undefined,
    ]),
  decide: async (request, [found, type]) => {
    await request.checkReadOnly(() => found && showConnection(found, request.now));
    const { secret, writes, events, ...saved } = await saveConnection(request, found, type);
    return {
      response: { ...showConnection(saved, request.now), ...(secret && { secret }) },
      writes,
      events,
    };
  },
});
