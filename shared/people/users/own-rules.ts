import type { EventKind } from '../../events/kinds.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Channel } from './channels.ts';
import type { StoredUser } from './schema.ts';

/** What a user asked for of one kind of event: for an account, or by default. No channels: not to hear of it. */
export interface OwnRule {
  from: 'account' | 'default';
  channels: readonly Channel[];
}

/** What the rules of a user depend on. */
type RuleHolder = Pick<StoredUser, 'accountIds' | 'notificationPreferences'>;

/** The rules that a user has in an account, by kind; its entry for the account goes before its default one. */
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
