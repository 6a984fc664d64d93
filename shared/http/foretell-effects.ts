import type { Event } from '../events/envelope.ts';
import { type ForetoldNotification, foretellNotifications } from '../notifications/foretell-notifications.ts';
import type { Permission } from '../security/permissions.ts';
import type { Write } from '../table/operations.ts';
import { readsAfter } from '../table/reads-after.ts';
import { type ForetoldDelivery, foretellDeliveries } from '../webhooks/foretell-deliveries.ts';
import type { RequestContext } from './request-context.ts';

/** Who would hear of what a request does. To a caller that may not know who: how many, each channel by itself. */
export interface ForetoldEffects {
  notifications: ForetoldNotification[] | number;
  webhooks: ForetoldDelivery[] | number;
}

/** What would come of these writes and events once they are committed. */
export type ForetellEffects = (
  done: { writes: readonly Write[]; events: readonly Event[] },
  requestContext: RequestContext,
) => Promise<ForetoldEffects>;

/**
 * By the functions that fan-out asks, and by the table as the writes would leave it: who is a member, what it may read and
 * wants to hear, which webhooks there are. What it takes to be told who they are is held in the request's account alone, so
 * of events that enter the log of another account there are numbers only.
 */
export const foretellEffects: ForetellEffects = async (
  { writes, events },
  { account, principal, deadline },
) => {
  const reads = readsAfter(writes);
  const [notifications, webhooks] = await Promise.all([
    foretellNotifications(events, reads, deadline),
    foretellDeliveries(events, reads),
  ]);
  const isOwn = account !== undefined && events.every(({ accountId }) => accountId === account);
  const mayKnow = (permission: Permission) => isOwn && principal?.permissions.has(permission);
  return {
    notifications: mayKnow('readUsers')
      ? notifications
      : notifications.reduce((count, { channels }) => count + channels.length, 0),
    webhooks: mayKnow('readWebhooks') ? webhooks : webhooks.length,
  };
};
