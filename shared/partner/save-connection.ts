import { invalid } from '../errors.ts';
import type { Effects } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import { uniqueIdOf } from '../id/unique-id.ts';
import { requireUrl } from '../messaging/webhooks/rules.ts';
import { firstSecret } from '../messaging/webhooks/secrets.ts';
import type { DataKeys } from '../security/data-keys.ts';
import type { StoredTicketType } from '../support/ticket-types/schema.ts';
import { newRecord } from '../table/record-fields.ts';
import { type Authored, revise } from '../table/revise.ts';
import { markDueWrites } from '../work-queue/enqueue.ts';
import { connectionChanged } from './events.ts';
import { partnerRequests } from './keys.ts';
import { readPublicKey } from './public-key.ts';
import type { PartnerConnectionInput } from './schema.ts';
import { type ConnectionWithHealth, connections, resetsConnectionHealth } from './store.ts';

interface SaveRequest extends Authored {
  account: AccountId;
  body: PartnerConnectionInput;
  dataKeys(): Promise<DataKeys>;
}

/** The saved connection, and its secret if it is new. */
interface SavedConnection extends ConnectionWithHealth, Effects {
  secret?: string;
}

/**
 * Creates the connection of an account, or replaces its URL, key and state. `type` is the default ticket type. Throws
 * `invalid_input` for a forbidden URL and for an unsuitable key.
 */
export async function saveConnection(
  request: SaveRequest,
  found: ConnectionWithHealth | undefined,
  type: StoredTicketType | undefined,
): Promise<SavedConnection> {
  const { account, body } = request;
  const { url, publicKey, active } = body;
  requireUrl(url);
  if (new URL(url).search) throw invalid('url', 'must not contain a query');
  if (publicKey) readPublicKey(publicKey);
  const defaultTicketTypeId = type && uniqueIdOf('tty', type.id);
  if (!found) {
    const record = newRecord(request);
    const { secret, secrets } = await firstSecret(record, request);
    const optional = { ...(publicKey && { publicKey }), ...(defaultTicketTypeId && { defaultTicketTypeId }) };
    const connection = { ...record, url, active, ...optional, secrets };
    return {
      connection,
      health: {},
      secret,
      writes: connections.insert(connection),
      events: connectionChanged('partner_connection_created', connection),
    };
  }
  const { connection: before, health } = found;
  const set = { url, active, publicKey: publicKey ?? null, defaultTicketTypeId: defaultTicketTypeId ?? null };
  const after = revise(before, set, request);
  const resets = resetsConnectionHealth(before, after);
  return {
    connection: after,
    health: resets ? {} : health,
    // Requests that waited while the connection was inactive, or for the former URL, start now.
    writes: [
      ...connections.replace(before, after),
      ...(resets && after.active
        ? markDueWrites(partnerRequests(account), request.now, { resumed: true })
        : []),
    ],
    events: before === after ? [] : connectionChanged('partner_connection_updated', after),
  };
}
