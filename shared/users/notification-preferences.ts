import { ApiError } from '../errors.ts';
import { EventKindField } from '../events/kind-schema.ts';
import { array, mapOf, object, oneOf, optional, type Static, string } from '../schema.ts';
import { channels } from './channels.ts';

/** How a user wants to hear of one kind of event. Interface, "Notification preference". */
export const NotificationPreference = object({
  event: EventKindField,
  accountId: optional(
    string({
      maxLength: 64,
      description: 'Absent: the rule for every account without one of its own.',
      examples: ['acme'],
    }),
  ),
  deliveryPref: array(oneOf(channels), { uniqueItems: true, description: 'Empty: not at all.' }),
});
export type NotificationPreference = Static<typeof NotificationPreference>;

/** 132 kinds, for the default and for a handful of accounts. */
export const NotificationPreferences = array(NotificationPreference, { maxItems: 1000 });

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

interface Holder {
  accountIds: readonly string[];
  notificationPreferences: readonly NotificationPreference[];
}

/**
 * A user's rules after somebody sent new ones: all of them for the user itself, for an administrator those that its
 * account may see. Throws `preferences_invalid`.
 */
export function withRules(
  { accountIds, notificationPreferences: before }: Holder,
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
