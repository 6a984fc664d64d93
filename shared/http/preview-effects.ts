import type { Event } from '../events/envelope.ts';
import {
  type PreviewedNotification,
  previewNotifications,
} from '../messaging/recipients/preview-notifications.ts';
import { type PreviewedDelivery, previewDeliveries } from '../messaging/webhooks/preview-deliveries.ts';
import type { Permission } from '../security/permissions.ts';
import type { Principal } from '../security/principal.ts';
import { rememberedReads } from '../table/remembered-reads.ts';
import type { RequestContext } from './request-context.ts';

/** More are told as a number: a bulk could have so many that no response holds them. */
const mostPreviewed = 1000;

/** Who would hear of what a request does. To a caller that may not know who, and past 1,000: how many, each channel by itself. */
export interface PreviewedEffects {
  notifications: PreviewedNotification[] | number;
  webhooks: PreviewedDelivery[] | number;
}

/** Finds the recipients that these events would have. */
export type PreviewEffects = (
  events: readonly Event[],
  request: Pick<RequestContext, 'account' | 'deadline'> & { principal?: Pick<Principal, 'permissions'> },
) => Promise<PreviewedEffects>;

/**
 * Uses the functions of fan-out and the table as it is now: a recipient that the request itself would add or remove is computed
 * as before the request. The caller's permissions count in the request's account alone, so events in the log of
 * another account have numbers only.
 */
export const previewEffects: PreviewEffects = async (events, { account, principal, deadline }) => {
  const reads = rememberedReads();
  const [notifications, webhooks] = await Promise.all([
    previewNotifications(events, reads, deadline),
    previewDeliveries(events, reads),
  ]);
  const isOwn = account !== undefined && events.every(({ accountId }) => accountId === account);
  const named = (permission: Permission, { length }: readonly unknown[]) =>
    isOwn && principal?.permissions.has(permission) && length <= mostPreviewed;
  return {
    notifications: named('readUsers', notifications)
      ? notifications
      : notifications.reduce((count, { channels }) => count + channels.length, 0),
    webhooks: named('readWebhooks', webhooks) ? webhooks : webhooks.length,
  };
};
