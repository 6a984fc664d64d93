import type { Event } from '../events/envelope.ts';
import {
  type ForetoldNotification,
  foretellNotifications,
} from '../messaging/recipients/foretell-notifications.ts';
import { type ForetoldDelivery, foretellDeliveries } from '../messaging/webhooks/foretell-deliveries.ts';
import type { Permission } from '../security/permissions.ts';
import type { Principal } from '../security/principal.ts';
import type { Write } from '../table/operations.ts';
import { readsAfter } from '../table/reads-after.ts';
import type { RequestContext } from './request-context.ts';

/** More are told as a number: a bulk could have so many that no response holds them. */
const mostForetold = 1000;

/** Who would hear of what a request does. To a caller that may not know who, and past 1,000: how many, each channel by itself. */
export interface ForetoldEffects {
  notifications: ForetoldNotification[] | number;
  webhooks: ForetoldDelivery[] | number;
}

/** What would come of these writes and events once they are committed. */
export type ForetellEffects = (
  done: { writes: readonly Write[]; events: readonly Event[] },
  request: Pick<RequestContext, 'account' | 'deadline'> & { principal?: Pick<Principal, 'permissions'> },
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
  const named = (permission: Permission, { length }: readonly unknown[]) =>
    isOwn && principal?.permissions.has(permission) && length <= mostForetold;
  return {
    notifications: named('readUsers', notifications)
      ? notifications
      : notifications.reduce((count, { channels }) => count + channels.length, 0),
    webhooks: named('readWebhooks', webhooks) ? webhooks : webhooks.length,
  };
};
