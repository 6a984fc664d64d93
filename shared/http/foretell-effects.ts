import type { Event } from '../events/envelope.ts';
import {
  type ForetoldNotification,
  foretellNotifications,
} from '../messaging/recipients/foretell-notifications.ts';
import { type ForetoldDelivery, foretellDeliveries } from '../messaging/webhooks/foretell-deliveries.ts';
import type { Permission } from '../security/permissions.ts';
import type { Principal } from '../security/principal.ts';
import { rememberedReads } from '../table/remembered-reads.ts';
import type { RequestContext } from './request-context.ts';

/** More are told as a number: a bulk could have so many that no response holds them. */
const mostForetold = 1000;

/** Who would hear of what a request does. To a caller that may not know who, and past 1,000: how many, each channel by itself. */
export interface ForetoldEffects {
  notifications: ForetoldNotification[] | number;
  webhooks: ForetoldDelivery[] | number;
}

/** Finds the recipients that these events would have. */
export type ForetellEffects = (
  events: readonly Event[],
  request: Pick<RequestContext, 'account' | 'deadline'> & { principal?: Pick<Principal, 'permissions'> },
) => Promise<ForetoldEffects>;

/**
 * Uses the functions of fan-out and the table as it is now: a recipient that the request itself would add or remove is computed
 * as before the request. The caller's permissions count in the request's account alone, so events in the log of
 * another account have numbers only.
 */
export const foretellEffects: ForetellEffects = async (events, { account, principal, deadline }) => {
  const reads = rememberedReads();
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
