import type { AccountId } from '../../id/account-id.ts';
import { type ListSource, readOnce } from '../../table/list-source.ts';
import type { Impersonation, StoredImpersonation } from '../impersonation-records/schema.ts';
import { impersonations } from '../impersonation-records/store.ts';
import { requireMember } from '../users/find-member.ts';

/** Returns the source of the list of a user's impersonations. `name` is the user's email or id. Throws `not_found`. */
export function impersonationsOf(
  account: AccountId,
  name: string,
): ListSource<Impersonation, StoredImpersonation> {
  const readSource = readOnce(async () => {
    const { user } = await requireMember(account, name);
    return impersonations.listOf(account, user.id);
  });
  return {
    newest: async (bounds) => (await readSource()).newest(bounds),
    total: async () => (await readSource()).total(),
    show: async (page) => page.map(impersonations.show),
  };
}
