import { ApiError } from '../errors.ts';
import { limitedPermissions } from '../resources/derived.ts';
import type { Permission } from '../resources/registry.ts';
import { isPermission } from './permissions.ts';
import type { Principal } from './principal.ts';
import { takesLimits, typesShownBy } from './reach.ts';

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

/**
 * Throws `grant_exceeds_own` if a user or role with these permissions would see the events or mails of records that are hidden
 * from the principal. Permissions such as `readEvents` show less to a caller who also has a limited permission. So a limited
 * principal must grant them together with one.
 */
export function requireShowsNoMore(principal: Principal, permissions: Iterable<string>): void {
  const shown = principal.administrator ? [] : typesShownBy(known(permissions), principal);
  if (shown.length > 0)
    throw new ApiError('grant_exceeds_own', {
      message: `Grant these permissions together with a permission to read ${shown.map((type) => `${type}s`).join(', ')}. Alone, they show records that your own permissions do not include.`,
    });
}

/**
 * Throws `holds_more` if a changed or deleted role no longer has permissions for a type of which some records are hidden from
 * the principal. Otherwise, users of the role could see more than before; see `requireShowsNoMore`.
 */
export function requireKeepsLimits(
  principal: Principal,
  before: Iterable<string>,
  after: Iterable<string>,
): void {
  if (!principal.administrator && takesLimits(known(before), known(after), principal))
    throw new ApiError('holds_more');
}

const known = (names: Iterable<string>): ReadonlySet<Permission> => new Set([...names].filter(isPermission));

/** Throws `grant_exceeds_own` unless the caller reaches all records of all types, as the managers of a team may do. */
export function requireReachOfTeams(principal: Grantor): void {
  const all = Object.keys(permissionForAllTeams);
  if (!principal.administrator && !all.filter(isPermission).every((name) => covers(principal, name)))
    throw new ApiError('grant_exceeds_own', {
      message: 'You cannot give access to records that your own permissions do not include.',
    });
}
