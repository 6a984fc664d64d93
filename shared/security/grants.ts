import { ApiError } from '../errors.ts';
import { isPermission, type Permission } from './permissions.ts';
import type { Principal } from './principal.ts';

/** What somebody may do in an account, or what a role or an API key lets its holder do. */
export interface HeldPermissions {
  /** An administrator holds every permission; nobody else reaches an administrator. */
  administrator: boolean;
  /** Names that are no longer permissions are ignored. */
  permissions: Iterable<string>;
}

/** What a role or an API key gives. */
export const heldBy = ({
  flatPermissionsList,
}: {
  flatPermissionsList: readonly string[];
}): HeldPermissions => ({
  administrator: false,
  permissions: flatPermissionsList,
});

/** The part of a principal that the rule needs. */
type Grantor = Pick<Principal, 'administrator'> & { permissions: ReadonlySet<Permission> };

/**
 * The rule of who may reach whom: nobody grants, changes, renames or removes what holds more than they do
 * themselves, be it a member, a role or an API key.
 */
export const holdsAll = (principal: Grantor, target: HeldPermissions): boolean =>
  principal.administrator ||
  (!target.administrator &&
    [...target.permissions].filter(isPermission).every((name) => principal.permissions.has(name)));

/** Throws `administrator_only` or `holds_more` unless the principal holds all that the target does. */
export function requireHoldsAll(principal: Grantor, target: HeldPermissions): void {
  if (holdsAll(principal, target)) return;
  throw new ApiError(target.administrator ? 'administrator_only' : 'holds_more');
}

/**
 * The permissions to grant, each once and sorted. Throws for unknown names (`permission_unknown`) and for any that
 * the principal does not hold (`grant_exceeds_own`).
 */
export function readGrant(names: readonly string[], principal: Grantor): string[] {
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length > 0) {
    const details = unknown
      .slice(0, 20)
      .map((name) => ({ field: 'flatPermissionsList', message: `${name} is no permission` }));
    throw new ApiError('permission_unknown', { details });
  }
  if (!holdsAll(principal, { administrator: false, permissions: names }))
    throw new ApiError('grant_exceeds_own');
  return [...new Set(names)].sort();
}
