import { ApiError } from '../errors.ts';
import { limitedPermissions } from '../resources/derived.ts';
import type { Permission } from '../resources/registry.ts';
import { isPermission } from './permissions.ts';
import type { Principal } from './principal.ts';

/** The permissions of a member, role or API key. */
export interface HeldPermissions {
  /** An administrator has every permission of the account. Only administrators may change an administrator. */
  administrator: boolean;
  /** Unknown names are ignored. */
  permissions: Iterable<string>;
}

export const heldBy = ({
  flatPermissionsList,
}: {
  flatPermissionsList: readonly string[];
}): HeldPermissions => ({
  administrator: false,
  permissions: flatPermissionsList,
});

type Grantor = Pick<Principal, 'administrator'> & { permissions: ReadonlySet<Permission> };

/** For each permission for the records of a team: the permission for all records of the type. */
const permissionForAllTeams: Readonly<Partial<Record<string, Permission>>> = Object.fromEntries(
  Object.entries(limitedPermissions).map(([wide, { team }]) => [team, wide]),
);

/**
 * Reports whether a principal may grant a permission. The permission for the records of a team can give each user other
 * records, so it is granted only by those who reach all of them.
 */
const covers = ({ permissions }: Pick<Grantor, 'permissions'>, name: Permission): boolean =>
  permissions.has(permissionForAllTeams[name] ?? name);

/**
 * Reports whether a principal has all permissions of the target, and may therefore change or grant the target. An
 * administrator may also change and grant a role or key with permissions that its account can no longer use.
 */
export const holdsAll = (principal: Grantor, target: HeldPermissions): boolean =>
  principal.administrator ||
  (!target.administrator &&
    [...target.permissions].filter(isPermission).every((name) => covers(principal, name)));

/** Throws `administrator_only` or `holds_more` if the principal lacks a permission of the target. */
export function requireHoldsAll(principal: Grantor, target: HeldPermissions): void {
  if (holdsAll(principal, target)) return;
  throw new ApiError(target.administrator ? 'administrator_only' : 'holds_more');
}

/**
 * Returns the distinct permissions to grant, sorted. `field` is the field of the request. Throws `permission_unknown` for
 * unknown names, and `grant_exceeds_own` for permissions that the principal does not have. An administrator has those that
 * the account can use.
 */
export function readGrant(
  names: readonly string[],
  principal: Grantor,
  field = 'flatPermissionsList',
): string[] {
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length > 0) {
    const details = unknown.slice(0, 20).map((name) => ({ field, message: `${name} is not a permission` }));
    throw new ApiError('permission_unknown', { details });
  }
  if (!names.filter(isPermission).every((name) => covers(principal, name)))
    throw new ApiError('grant_exceeds_own');
  return [...new Set(names)].sort();
}

/** Throws `grant_exceeds_own` unless the caller reaches all records of all types, as the managers of a team may do. */
export function requireReachOfTeams(principal: Grantor): void {
  const all = Object.keys(permissionForAllTeams);
  if (!principal.administrator && !all.filter(isPermission).every((name) => covers(principal, name)))
    throw new ApiError('grant_exceeds_own', {
      message: 'You cannot give access to records that your own permissions do not include.',
    });
}
