import type { AccountLimits } from '../../accounts/schema.ts';
import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { quotaKey } from '../../table/keys.ts';
import { putIfAbsent, setIfEquals, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { readTotals } from '../../table/totals.ts';
import { memberships } from './store.ts';

/**
 * Returns the writes that keep an account within its limit of users; none for an account without this limit. An item counts
 * the invitations of the account. It is read before the total, so that of two concurrent invitations one must read the
 * total again. Throws `quota_exceeded`.
 */
export async function withinUserLimit(account: AccountId, limits: AccountLimits = {}): Promise<Write[]> {
  const { users: most } = limits;
  if (most === undefined) return [];
  const key = quotaKey(account, memberships.noun);
  const invited = (await getItem(key))?.count;
  const total = (await readTotals(account)).get(memberships.noun) ?? 0;
  if (total >= most) throw new ApiError('quota_exceeded');
  return [
    typeof invited === 'number'
      ? setIfEquals(key, 'count', invited, invited + 1, 'conflict')
      : putIfAbsent({ ...key, count: 1 }),
  ];
}
