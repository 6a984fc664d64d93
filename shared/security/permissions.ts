import { allPermissions, permissionCatalogue, readPermissionOf } from '../resources/derived.ts';
import type { Permission } from '../resources/registry.ts';

const known = new Set<string>(allPermissions);

export const isPermission = (name: string): name is Permission => known.has(name);

/** Returns the read permission that corresponds to a permission. A read permission corresponds to itself. */
export function permissionToRead(permission: Permission): Permission {
  const name = permission.replace(/^write/, 'read');
  return readPermissionOf[permission] ?? (isPermission(name) ? name : permission);
}

/** Returns the given permissions with their descriptions, in the order of the catalogue. */
export const describePermissions = (names: readonly string[]) =>
  permissionCatalogue.filter(({ name }) => names.includes(name));
