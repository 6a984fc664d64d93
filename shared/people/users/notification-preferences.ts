import type { ChannelName } from '../../channels/channels.ts';
import { channelNames } from '../../channels/terms.ts';
import { ApiError, invalid } from '../../errors.ts';
import { EventKindField, HappeningField } from '../../events/schema.ts';
import { array, integer, mapOf, object, oneOf, optional, type Static, string } from '../../schema.ts';

const rule = {
  event: EventKindField,
  happenings: optional(
    array(HappeningField, {
      minItems: 1,
      uniqueItems: true,
      description:
        'Only with the event `no_event_name`: the rule applies only to events with these happenings from GET /event-kinds. If omitted, to all events of this kind.',
    }),
  ),
  accountId: optional(
    string({
      maxLength: 64,
      description:
        'If omitted, the rule is the user’s default rule, which applies to every account without a rule for this event. ' +
        'Only the user can set default rules. In other requests, the rule applies to the account of the request.',
      examples: ['acme'],
    }),
  ),
};
const defaultDelivery: ChannelName[] = ['website'];
const deliveryPref = (annotations: { default?: ChannelName[] } = {}) =>
  array(oneOf(channelNames), {
    uniqueItems: true,
    description: 'If empty, nothing is sent.',
    ...annotations,
  });

const example = { examples: [{ event: 'lead_assigned', deliveryPref: ['website', 'email'] }] };

export const NotificationPreference = object({ ...rule, deliveryPref: deliveryPref() }, example);
export type NotificationPreference = Static<typeof NotificationPreference>;

export const NotificationPreferenceInput = object(
  { ...rule, deliveryPref: optional(deliveryPref({ default: defaultDelivery })) },
  example,
);
type NotificationPreferenceInput = Static<typeof NotificationPreferenceInput>;

/** This limit allows a default rule for every event kind, and rules for several accounts. */
const limit = { maxItems: 1000 };
const NotificationPreferences = array(NotificationPreference, limit);
export const NotificationPreferencesInput = array(NotificationPreferenceInput, limit);

/**
 * Returns the rules of a request, with the default for an omitted `deliveryPref`. Throws `invalid_input` if a rule for
 * another event has happenings.
 */
export const rulesFromRequest = (sent: readonly NotificationPreferenceInput[]): NotificationPreference[] =>
  sent.map((one) => {
    if (one.happenings && one.event !== 'no_event_name')
      throw invalid('happenings', 'must be omitted, because the event is not no_event_name');
    return { ...one, deliveryPref: one.deliveryPref ?? defaultDelivery };
  });

export const NotificationPreferencesOf = object({
  data: NotificationPreferences,
  version: integer({ examples: [1] }),
});

export const PreferencesByAccount = mapOf(mapOf(array(oneOf(channelNames))), {
  description: 'Channels by `default` or account id, then by event kind.',
  examples: [{ default: { lead_assigned: ['website', 'email'] } }],
});

/** Returns the rules that an account may see and set. They do not include the person's default rules. */
export const rulesFor = (
  preferences: readonly NotificationPreference[],
  account: string,
): NotificationPreference[] => preferences.filter(({ accountId }) => accountId === account);

export const defaultRules = (preferences: readonly NotificationPreference[]): NotificationPreference[] =>
  preferences.filter(({ accountId }) => accountId === undefined);

/** Throws `preferences_invalid` if a rule is a duplicate or has an account that is not in `accountIds`. */
function checkPreferences(
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
 * If `byPerson` is true, replaces all rules. Otherwise, replaces only the rules for `account`. A rule without `accountId`
 * then also applies to the account, unless a rule of the account for the same event is sent. Throws
 * `preferences_invalid`, also if the person has not accepted the invitation to the account.
 */
export function replaceRules(
  { accountIds, notificationPreferences: before }: PreferenceHolder,
  sent: readonly NotificationPreference[],
  account: string,
  byPerson: boolean,
): NotificationPreference[] {
  checkPreferences(sent, byPerson ? accountIds : [account]);
  if (byPerson) return [...sent];
  const named = rulesFor(sent, account);
  const others = defaultRules(sent).filter(({ event }) => !named.some((rule) => rule.event === event));
  const rules = [...named, ...others.map((rule) => ({ ...rule, accountId: account }))];
  checkPreferences(rules, accountIds);
  return [...rules, ...before.filter(({ accountId }) => accountId !== account)];
}

export function preferencesByAccount(preferences: readonly NotificationPreference[]) {
  const shown: Static<typeof PreferencesByAccount> = {};
  for (const { event, accountId = 'default', deliveryPref } of preferences)
    shown[accountId] = { ...shown[accountId], [event]: deliveryPref };
  return shown;
}
