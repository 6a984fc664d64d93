import type { EventDraft } from '../events/envelope.ts';
import { unnamedChange } from '../events/unnamed-change.ts';
import type { Happening } from '../resources/registry.ts';
import type { StoredConnection } from './store.ts';

/** Returns the event of a change of the connection. */
export function connectionChanged(
  happening: Extract<Happening, `partner_connection_${string}`>,
  connection: StoredConnection,
): EventDraft[] {
  const { url, active, defaultTicketTypeId } = connection;
  const detail = { host: new URL(url).host, active, defaultTicketTypeId };
  return unnamedChange(connection.accountId, happening, connection, detail);
}
