import type { AccountId } from '../../id/account-id.ts';
import type { EventKind } from '../../resources/registry.ts';
import type { Channel } from './channels.ts';
import type { StoredUser } from './schema.ts';

/** A user's rule for one event kind. If `channels` is empty, no notifications are sent. */
export interface OwnRule {
  from: 'account' | 'default';
  channels: readonly Channel[];
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
    for (const { event, accountId, deliveryPref } of notificationPreferences)
      if (accountId === (from === 'account' ? account : undefined))
        rules.set(event, { from, channels: deliveryPref });
  return rules;
}
