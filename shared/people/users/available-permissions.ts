import { ApiError } from '../../errors.ts';
import { asAccountId } from '../../id/account-id.ts';
import type { Permission } from '../../resources/registry.ts';
import type { SignedIn } from '../../security/principal.ts';
import { permissionsOfAccount } from '../roles/account-permissions.ts';
import { roles } from '../roles/store.ts';
import { isActiveMember } from './rules.ts';
import { memberships } from './store.ts';

/**
 * Returns the permissions that an account can use: the account of a key, or the account in `named`. Without `named`, the
 * account in which the user was created. Throws `account_forbidden` if the user is not active in the named account.
 */
export async function availablePermissions(
  principal: SignedIn,
  named: string | undefined,
): Promise<Permission[]> {
  if (principal.kind === 'key' || named === undefined || named === principal.home)
    return permissionsOfAccount(principal);
  const account = asAccountId(named);
  const member = account && (await memberships.find(account, principal.id));
  if (!member || !isActiveMember(member)) throw new ApiError('account_forbidden');
  return permissionsOfAccount(await roles.all(account));
}
