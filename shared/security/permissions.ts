import {
  allPermissions,
  limitedPermissions,
  permissionCatalogue,
  readPermissionOf,
} from '../resources/derived.ts';
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

const limited = new Set<string>(Object.values(limitedPermissions).flatMap((parts) => Object.values(parts)));

/** Reports whether a permission is only for some of the records of a type. */
export const isLimited = (name: Permission): boolean => limited.has(name);

/**
 * Returns the given permissions, and the limited ones that they contain: `readLeads` contains `readTeamLeads`, which contains
 * `readOwnLeads`.
 */
export function withContained(names: Iterable<Permission>): Set<Permission> {
  const all = new Set(names);
  for (const [wide, { team, own, unassigned }] of Object.entries(limitedPermissions)) {
    if (all.has(wide as Permission)) for (const one of [team, unassigned]) if (one) all.add(one);
    if (team && own && all.has(team)) all.add(own);
  }
  return all;
}
