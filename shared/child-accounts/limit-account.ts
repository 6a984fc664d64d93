import { accountKey } from '../accounts/keys.ts';
import type { StoredAccount } from '../accounts/schema.ts';
import { limitSubscriptions } from '../messaging/webhooks/subscriptions.ts';
import { limitRoles } from '../people/roles/limit-roles.ts';
import { checkAt, isCounterDelta, type Write } from '../table/operations.ts';
import type { AccountType } from './schema.ts';
import { accountTypes } from './store.ts';

/**
 * Returns the writes that apply the permissions of an account. They are copied to the items that the service reads when it
 * computes permissions and when it finds the receivers of an event, so that these reads cost nothing more.
 */
export const limitAccount = ({ id, permissions = [] }: StoredAccount): Write[] => [
  limitRoles(id, permissions),
  limitSubscriptions(id, permissions),
];

/** Fails the transaction if the parent changed since it was read. If-Match does not apply to the parent. */
export const unchangedParent = ({ id, version }: StoredAccount): Write =>
  withoutIfMatch(checkAt(accountKey(id), version));

/** Fails the transaction if the type changed since it was read. If-Match does not apply to the type. */
export const unchangedType = (type: AccountType): Write => withoutIfMatch(accountTypes.unchanged(type));

function withoutIfMatch(write: Write): Write {
  if (isCounterDelta(write)) return write;
  const { basedOn, ...rest } = write;
  return rest;
}
