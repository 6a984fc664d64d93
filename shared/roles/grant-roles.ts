import type { Caller } from '../auth/caller.ts';
import { readGrant } from '../auth/grants.ts';
import type { Roles } from './role.ts';
import { roleIdsOf } from './roles.ts';

/**
 * The ids of the roles a caller gives, by name. Refuses with `role_unknown`, and with `grant_exceeds_own` where they
 * allow what the caller itself may not; the roles that the grantee has `already` give nothing new.
 */
export function grantRoles(
  all: Roles,
  names: readonly string[],
  caller: Caller,
  already: readonly number[] = [],
): number[] {
  const roleIds = roleIdsOf(all, names);
  const allowedBy = (ids: readonly number[]) => ids.flatMap((id) => all.roles[id]?.flatPermissionsList ?? []);
  readGrant(allowedBy(roleIds), caller, allowedBy(already));
  return roleIds;
}
