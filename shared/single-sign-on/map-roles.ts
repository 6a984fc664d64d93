import type { Roles } from '../people/roles/schema.ts';
import type { StoredSsoConnection } from './schema.ts';

/** Returns the roles and the team that a connection gives to a user. Deleted roles are omitted. */
export function mapRoles(
  { defaultRoleIds, roleMappings }: Pick<StoredSsoConnection, 'defaultRoleIds' | 'roleMappings'>,
  matching: readonly number[],
  all: Roles,
): { roleIds: number[]; teamId?: number } {
  const mappings = roleMappings.filter((_, n) => matching.includes(n));
  const roleIds = [...defaultRoleIds, ...mappings.flatMap((mapping) => mapping.roleIds)];
  const teamId = mappings.find((mapping) => mapping.teamId !== undefined)?.teamId;
  return {
    roleIds: [...new Set(roleIds)].filter((id) => Object.hasOwn(all.roles, id)),
    ...(teamId !== undefined && { teamId }),
  };
}
