import type { Caller } from '../auth/caller.ts';
import { holdsAll } from '../auth/grants.ts';
import { Refusal } from '../http/errors.ts';
import type { Roles } from './role.ts';
import { roleIdsOf } from './roles.ts';

/**
 * The ids of the roles a caller gives, by name. Refuses with `role_unknown`, and with `grant_exceeds_own` where they
 * allow what the caller itself may not.
 */
export function grantRoles(all: Roles, names: readonly string[], caller: Caller): number[] {
  const roleIds = roleIdsOf(all, names);
  const permissions = roleIds.flatMap((id) => all.roles[id]?.flatPermissionsList ?? []);
  if (!holdsAll(caller, { administrator: false, permissions })) throw new Refusal('grant_exceeds_own');
  return roleIds;
}
