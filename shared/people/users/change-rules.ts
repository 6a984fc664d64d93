import { hidden } from '../../events/changes.ts';
import { updated } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Authored, revise, sameValue } from '../../table/revise.ts';
import { defaultRules, type NotificationPreference, rulesFor } from './notification-preferences.ts';
import type { StoredUser } from './schema.ts';
import type { Member } from './show-user.ts';
import { users } from './store.ts';

/** The version of an account's rules. It does not show the person's other changes to the account. */
export const rulesVersion = (
  { rulesVersions = {} }: Pick<StoredUser, 'rulesVersions'>,
  account: string,
): number => (rulesVersions[account] ?? 0) + 1;

/** Returns the person with new rules. Increments the version of each account whose rules change. */
export function withRules(
  user: StoredUser,
  notificationPreferences: NotificationPreference[],
  author: Authored,
): StoredUser {
  const changed = user.accountIds.filter(
    (account) =>
      !sameValue(rulesFor(user.notificationPreferences, account), rulesFor(notificationPreferences, account)),
  );
  const versions = changed.map((account) => [account, rulesVersion(user, account)]);
  const rulesVersions = { ...user.rulesVersions, ...Object.fromEntries(versions) };
  return revise(user, { notificationPreferences, rulesVersions }, author);
}

/** Returns the event for an account. It contains the account's rules. The person's default rules are hidden. */
export function rulesChanged(
  { user, membership: { name } }: Member,
  after: StoredUser,
  account: AccountId,
): EventDraft[] {
  const forEvents = ({ id, email, notificationPreferences }: StoredUser) => ({
    id,
    name,
    email,
    notificationPreferences: rulesFor(notificationPreferences, account),
    defaultPreferences: hidden(defaultRules(notificationPreferences)),
  });
  return updated(users, 'user_account_settings_updated', forEvents(user), forEvents(after));
}
