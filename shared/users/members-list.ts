import type { AccountId } from '../accounts/account-id.ts';
import { roles } from '../roles/roles.ts';
import type { ListedUser } from './user.ts';
import { memberView } from './user-view.ts';
import { memberships } from './users.ts';

/** The members of an account as the source of a list. */
export const membersOf = (account: AccountId) => ({
  async newest(limit: number): Promise<ListedUser[]> {
    const [members, all] = await Promise.all([memberships.newest(account, limit), roles.all(account)]);
    return members.map((member) => ({ ...memberView(member, all), accountAdmin: member.accountAdmin }));
  },
  total: () => memberships.total(account),
});
