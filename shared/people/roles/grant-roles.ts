import { ApiError } from '../../errors.ts';
import { holdsAll, requireShowsNoMore } from '../../security/grants.ts';
import type { Principal } from '../../security/principal.ts';
import type { Roles } from './schema.ts';
import { roleIdsOf } from './store.ts';

/**
 * Returns the ids of the named roles. `direct` are the permissions that the user has in addition. Throws `role_unknown` and
 * `grant_exceeds_own`.
 */
export function grantRoles(
  all: Roles,
  names: readonly string[],
  principal: Principal,
  direct: readonly string[] = [],
): number[] {
  const roleIds = roleIdsOf(all, names);
  const permissions = roleIds.flatMap((id) => all.roles[id]?.flatPermissionsList ?? []);
  if (!holdsAll(principal, { administrator: false, permissions })) throw new ApiError('grant_exceeds_own');
  requireShowsNoMore(principal, [...permissions, ...direct]);
  return roleIds;
}
