import { allPermissions } from '../../resources/derived.ts';
import type { Permission } from '../../resources/registry.ts';
import { isLimited, isPermission, withContained } from '../../security/permissions.ts';
import type { Roles } from './schema.ts';

type Ceiling = Pick<Roles, 'accountPermissions'> | undefined;

/**
 * Returns the permissions among `names` that the account can use. The account's permissions are stored with the roles,
 * because every function that computes permissions reads the roles. An account that can use the permission for all records of
 * a type can use the permissions for some of them, and no other account can. Every account can use `revealSensitive`, which
 * shows nothing without the permission to read or write the records.
 */
export function usablePermissions(names: readonly string[], roles: Ceiling): Permission[] {
  const known = names.filter(isPermission);
  if (!roles?.accountPermissions) return known;
  const usable: ReadonlySet<Permission> = withContained([
    'revealSensitive',
    ...roles.accountPermissions.filter(isPermission).filter((name) => !isLimited(name)),
  ]);
  return known.filter((name) => usable.has(name));
}

/** Returns all permissions that the account can use. Its administrators have them. */
export const permissionsOfAccount = (roles: Ceiling): Permission[] =>
  usablePermissions(allPermissions, roles);

/** Adds `effectivePermissions` to a role or key with these permissions, unless the account can use all of them. */
export function withEffective<R extends object>(
  record: R,
  names: readonly string[],
  roles: Ceiling,
): R & { effectivePermissions?: Permission[] } {
  if (!roles?.accountPermissions) return record;
  const effectivePermissions = usablePermissions(names, roles);
  return effectivePermissions.length === names.length ? record : { ...record, effectivePermissions };
}
