import type { Event } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import {
  type PreviewedNotification,
  previewNotifications,
} from '../messaging/recipients/preview-notifications.ts';
import { type PreviewedDelivery, previewDeliveries } from '../messaging/webhooks/preview-deliveries.ts';
import type { Permission } from '../resources/registry.ts';
import type { Principal } from '../security/principal.ts';
import { rememberedReads } from '../table/remembered-reads.ts';
import type { Received } from './steps.ts';

/** Above this number, only a count is reported, because the list could exceed the size limit of a response. */
const mostPreviewed = 1000;

/**
 * The recipients of the events of a request: a list, or only their number if there are more than 1,000 or the
 * caller may not read them.
 */
export interface PreviewedEffects {
  notifications: PreviewedNotification[] | number;
  webhooks: PreviewedDelivery[] | number;
}

export type PreviewEffects = (
  events: readonly Event[],
  request: Pick<Received, 'deadline'> & {
    account?: AccountId;
    principal?: Pick<Principal, 'permissions'>;
  },
) => Promise<PreviewedEffects>;

/**
 * Finds the recipients with the same functions as the fan-out. These functions read the table, so the result
 * does not reflect the request's own changes. If one of the events belongs to another account, only numbers
 * are reported, because the caller's permissions do not apply to that account.
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
