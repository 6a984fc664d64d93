import type { AccountId } from '../../id/account-id.ts';
import type { ListSource } from '../../table/list-source.ts';
import { roles } from '../roles/store.ts';
import type { ListedUser, Membership } from './schema.ts';
import { memberView } from './show-user.ts';
import { memberships } from './store.ts';

/** The members of an account as the source of a list, which shows what their roles let them do. */
export function membersOf(account: AccountId): ListSource<ListedUser, Membership> {
  const reading = roles.all(account);
  // Whoever shows a page hears of a failure; where the page cannot be read nobody asks.
  reading.catch(() => undefined);
  return {
    ...memberships.listOf(account),
    async show(page) {
      const all = await reading;
      return page.map((member) => ({ ...memberView(member, all), accountAdmin: member.accountAdmin }));
    },
  };
}
