import type { AccountId } from '../../shared/id/account-id.ts';
import { subscriberKey } from '../../shared/people/users/keys.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { recordKey } from '../../shared/table/keys.ts';

/**
 * Adds members with the ids 1, 2, … and the permission `readLeads` to an account. The first `withRule` members have a
 * rule: the website notifies them of new leads. Writes memberships and rows of the subscriber index, but no users.
 */
export async function crowd(account: AccountId, members: number, withRule = members): Promise<number[]> {
  const ids = Array.from({ length: members }, (_, n) => n + 1);
  const left = await putAll([
    ...ids.map((id) => ({
      ...recordKey(account, 'MEMBER', id),
      ...{ id, accountId: account, version: 1, active: true, accountAdmin: false, roleIds: [] },
      email: `member${id}@example.com`,
      flatPermissionsList: ['readLeads', 'readNotifications'],
    })),
    ...ids.slice(0, withRule).map((id) => ({
      ...subscriberKey(account, 'lead_created', id),
      from: 'default',
      channels: ['website'],
    })),
  ]);
  if (left.length > 0) throw new Error('The table did not accept all members');
  return ids;
}
