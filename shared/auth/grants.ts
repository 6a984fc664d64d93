import { Refusal } from '../http/errors.ts';
import type { Caller } from './caller.ts';
import { isPermission } from './permissions.ts';

/**
 * The permissions a caller grants, each once and sorted. Refuses unknown names, and any that the caller does not
 * hold itself; what the grantee `already` has is no grant.
 */
export function readGrant(
  names: readonly string[],
  caller: Caller,
  already: readonly string[] = [],
): string[] {
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length > 0) {
    const details = unknown
      .slice(0, 20)
      .map((name) => ({ field: 'flatPermissionsList', message: `${name} is no permission` }));
    throw new Refusal('permission_unknown', { details });
  }
  const granted = names.filter((name) => !already.includes(name));
  if (granted.some((name) => isPermission(name) && !caller.permissions.has(name)))
    throw new Refusal('grant_exceeds_own');
  return [...new Set(names)].sort();
}
