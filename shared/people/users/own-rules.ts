import type { ChannelName } from '../../channels/channels.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { EventKind, Happening } from '../../resources/registry.ts';
import type { StoredUser } from './schema.ts';

/** A user's rule for one event kind. If `channels` is empty, no notifications are sent. */
export interface OwnRule {
  from: 'account' | 'default';
  channels: readonly ChannelName[];
  /** If set, the rule applies only to these events of the kind `no_event_name`. */
  happenings?: readonly Happening[];
}

type RuleHolder = Pick<StoredUser, 'accountIds' | 'notificationPreferences'>;

/** Returns the rules of a user in an account, by event kind. A rule for the account overrides a default rule. */
export function ownRules(
  { accountIds, notificationPreferences }: RuleHolder,
  account: AccountId,
): Map<EventKind, OwnRule> {
  const rules = new Map<EventKind, OwnRule>();
  if (!accountIds.includes(account)) return rules;
  for (const from of ['default', 'account'] as const)
    for (const { event, accountId, deliveryPref, happenings } of notificationPreferences)
      if (accountId === (from === 'account' ? account : undefined))
        rules.set(event, { from, channels: deliveryPref, ...(happenings && { happenings }) });
  return rules;
}

/** Returns the rule if it applies to an event with this happening. A rule for some happenings does not apply to others. */
export const ifApplies = (
  rule: OwnRule | undefined,
  happening: Happening | undefined,
): OwnRule | undefined =>
  rule?.happenings && !(happening && rule.happenings.includes(happening)) ? undefined : rule;
