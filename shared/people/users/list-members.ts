import type { AccountId } from '../../id/account-id.ts';
import type { ListSource } from '../../table/list-source.ts';
import { roles } from '../roles/store.ts';
import type { ListedUser, Membership } from './schema.ts';
import { showMember } from './show-user.ts';
import { memberships } from './store.ts';

export function membersOf(account: AccountId): ListSource<ListedUser, Membership> {
  const reading = roles.all(account);
  // If the read fails, `show` throws the error. The catch avoids an unhandled rejection if `show` is never called.
  reading.catch(() => undefined);
  return {
    ...memberships.listOf(account),
    async show(page) {
      const all = await reading;
      return page.map((member) => ({ ...showMember(member, all), accountAdmin: member.accountAdmin }));
    },
  };
}
