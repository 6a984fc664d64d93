import { ApiError } from '../errors.ts';
import { isPermission, type Permission } from './permissions.ts';
import type { Principal } from './principal.ts';

/** What somebody may do in an account, or what a role or an API key lets its holder do. */
export interface Holding {
  /** An administrator holds every permission and stands above whoever is none. */
  administrator: boolean;
  /** Names that are permissions no more count as nothing. */
  permissions: Iterable<string>;
}

/** What a role or an API key gives. */
export const heldBy = ({ flatPermissionsList }: { flatPermissionsList: readonly string[] }): Holding => ({
  administrator: false,
  permissions: flatPermissionsList,
});

/** Who acts: `administrator` and permissions that it holds now. */
type Acting = Pick<Principal, 'administrator'> & { permissions: ReadonlySet<Permission> };

/**
 * The one rule of who may reach whom: nobody grants, changes, renames or removes what holds more than they do
 * themselves, be it a member, a role or an API key.
 */
export const holdsAll = (principal: Acting, target: Holding): boolean =>
  principal.administrator ||
  (!target.administrator &&
    [...target.permissions].filter(isPermission).every((name) => principal.permissions.has(name)));

/** Refuses with `administrator_only` or `holds_more` unless the caller holds all that the target does. */
export function requireReach(principal: Acting, target: Holding): void {
  if (holdsAll(principal, target)) return;
  throw new ApiError(target.administrator ? 'administrator_only' : 'holds_more');
}

/** The permissions a caller grants, each once and sorted. Refuses unknown names, and any it does not hold itself. */
export function readGrant(names: readonly string[], principal: Acting): string[] {
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
