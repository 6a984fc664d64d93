import { ApiError } from '../../errors.ts';
import { EventKindField } from '../../events/schema.ts';
import { array, integer, mapOf, object, oneOf, optional, type Static, string } from '../../schema.ts';
import { type Channel, channels } from './channels.ts';

const rule = {
  event: EventKindField,
  accountId: optional(
    string({
      maxLength: 64,
      description: 'Absent: the rule for every account without one of its own.',
      examples: ['acme'],
    }),
  ),
};
const defaultDelivery: Channel[] = ['website'];
const deliveryPref = (annotations: { default?: Channel[] } = {}) =>
  array(oneOf(channels), { uniqueItems: true, description: 'Empty: no notifications.', ...annotations });

/** The channels by which a user is notified of one kind of event. Interface, "Notification preference". */
export const NotificationPreference = object({ ...rule, deliveryPref: deliveryPref() });
export type NotificationPreference = Static<typeof NotificationPreference>;

/** The same in a request. `deliveryPref` is optional; the default is the website. */
const NotificationPreferenceInput = object({
  ...rule,
  deliveryPref: optional(deliveryPref({ default: defaultDelivery })),
});
type NotificationPreferenceInput = Static<typeof NotificationPreferenceInput>;

/** Enough for every event kind, by default and for a handful of accounts. */
const mostRules = { maxItems: 1000 };
const NotificationPreferences = array(NotificationPreference, mostRules);
export const NotificationPreferencesInput = array(NotificationPreferenceInput, mostRules);

/** The rules that a request sent, with the default in place of a `deliveryPref` that it left out. */
export const rulesIn = (sent: readonly NotificationPreferenceInput[]): NotificationPreference[] =>
  sent.map((one) => ({ ...one, deliveryPref: one.deliveryPref ?? defaultDelivery }));

/** The preferences of a user as GET and PUT return them, with the version of the user. */
export const NotificationPreferencesOf = object({
  data: NotificationPreferences,
  version: integer({ examples: [1] }),
});

/** Preferences as a user shows them: by `default` or account, then by event. */
export const PreferencesByAccount = mapOf(mapOf(array(oneOf(channels))), {
  description: 'By `default` or account id, then by event kind.',
  examples: [{ default: { lead_assigned: ['website', 'email'] } }],
});

/** The part of a user's rules that an account may see and set: the default ones and its own. */
export const rulesFor = (
  preferences: readonly NotificationPreference[],
  account: string,
): NotificationPreference[] =>
  preferences.filter(({ accountId }) => accountId === undefined || accountId === account);

/** Throws `preferences_invalid` for a rule given twice, and for an account that may not be named. */
export function checkPreferences(
  preferences: readonly NotificationPreference[],
  accountIds: readonly string[],
): void {
  const rules = preferences.map(({ event, accountId = 'default' }) => `${accountId}/${event}`);
  const foreign = preferences.some(
    ({ accountId }) => accountId !== undefined && !accountIds.includes(accountId),
  );
  if (foreign || new Set(rules).size < rules.length) throw new ApiError('preferences_invalid');
}

interface PreferenceHolder {
  accountIds: readonly string[];
  notificationPreferences: readonly NotificationPreference[];
}

/**
 * A user's rules after somebody sent new ones: all of them for the user itself, for an administrator those that its
 * account may see. Throws `preferences_invalid`.
 */
export function withRules(
  { accountIds, notificationPreferences: before }: PreferenceHolder,
  sent: readonly NotificationPreference[],
  account: string,
  bySelf: boolean,
): NotificationPreference[] {
  checkPreferences(sent, bySelf ? accountIds : [account]);
  const hidden = bySelf ? [] : before.filter((rule) => !rulesFor(before, account).includes(rule));
  return [...sent, ...hidden];
}

/** Groups preferences for showing. */
export function preferencesByAccount(preferences: readonly NotificationPreference[]) {
  const shown: Static<typeof PreferencesByAccount> = {};
  for (const { event, accountId = 'default', deliveryPref } of preferences)
    shown[accountId] = { ...shown[accountId], [event]: deliveryPref };
  return shown;
}
