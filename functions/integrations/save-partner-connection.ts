import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { unnamedChange } from '../../shared/events/unnamed-change.ts';
import { uniqueIdOf } from '../../shared/id/unique-id.ts';
import { requireUrl } from '../../shared/messaging/webhooks/rules.ts';
import { encryptSecret, mintWebhookSecret } from '../../shared/messaging/webhooks/secrets.ts';
import { partnerRequests } from '../../shared/partner/keys.ts';
import { readPublicKey } from '../../shared/partner/public-key.ts';
import {
  PartnerConnection,
  PartnerConnectionInput,
  SavedPartnerConnection,
} from '../../shared/partner/schema.ts';
import { showConnection } from '../../shared/partner/show-connection.ts';
import { connections, resetsConnectionHealth } from '../../shared/partner/store.ts';
import { requireTicketType } from '../../shared/support/ticket-types/require-ticket-type.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';
import { markDueWrites } from '../../shared/work-queue/enqueue.ts';

export default endpoint({
  method: 'PUT',
  path: '/integrations/partner/connection',
  permission: 'writeIntegrations',
  sensitive: true,
  body: PartnerConnectionInput,
  response: SavedPartnerConnection,
  record: PartnerConnection,
  oneTime: ['secret'],
  errors: ['ticket_type_unknown'],
  emits: ['no_event_name'],
  summary: 'Create or replace the connection to the partner',
  description:
    'An account has at most one connection. The response contains the secret only if the request created the connection. An omitted `publicKey` or `defaultTicketTypeId` is removed.',
  read: ({ account, body: { defaultTicketTypeId: type } }) =>
    inParallel([
      connections.findWithHealth(account),
      type === undefined ? undefined : requireTicketType(account, 'defaultTicketTypeId', type),
    ]),
  decide: async (request, [found, type]) => {
    const { now, account } = request;
    const defaultTicketTypeId = type && uniqueIdOf('tty', type.id);
    const body = { ...request.body, ...(defaultTicketTypeId && { defaultTicketTypeId }) };
    await request.checkReadOnly(() => found && showConnection(found, now));
    requireUrl(body.url);
    if (body.publicKey !== undefined) readPublicKey(body.publicKey);
    if (!found) {
      const record = newRecord(request);
      const secret = mintWebhookSecret();
      const secrets = [await encryptSecret(record, 1, secret, await request.dataKeys())];
      const connection = { ...record, ...body, secrets };
      return {
        response: { ...showConnection({ connection, health: {} }, now), secret },
        writes: connections.insert(connection),
        events: unnamedChange(account, 'partner_connection', 'created', connection),
      };
    }
    const { connection: before, health } = found;
    const after = revise(
      before,
      { ...body, publicKey: body.publicKey ?? null, defaultTicketTypeId: defaultTicketTypeId ?? null },
      request,
    );
    const kept = resetsConnectionHealth(before, after) ? {} : health;
    return {
      response: showConnection({ connection: after, health: kept }, now),
      // Requests that waited while the connection was inactive start now.
      writes: [
        ...connections.replace(before, after),
        ...(after.active && !before.active ? markDueWrites(partnerRequests(account), now) : []),
      ],
      events: before === after ? [] : unnamedChange(account, 'partner_connection', 'updated', after),
    };
  },
});
