import type { AccountLimits, StoredAccount } from '../accounts/schema.ts';
import { allPermissions } from '../resources/derived.ts';
import type { AccountType } from './schema.ts';

type Ceiling = Pick<StoredAccount, 'permissions' | 'limits'>;

/** The settings that an account gets from its parent. */
interface EffectiveSettings {
  permissions: string[];
  limits: AccountLimits | null;
  depth: number;
}

/**
 * Returns what a child account can use: the permissions that the parent gave, the type allows and the parent itself can
 * use. Without given permissions, all that the type allows. Of each limit, the smallest value applies. Without a type, as
 * after a move, the account keeps its own limits.
 */
export function effectiveSettings(
  parent: Ceiling & Pick<StoredAccount, 'depth'>,
  type: Pick<AccountType, 'permissions' | 'limits'> | undefined,
  child: Pick<StoredAccount, 'givenPermissions' | 'limits'>,
): EffectiveSettings {
  const lists = [parent.permissions, type?.permissions, child.givenPermissions];
  const permissions = allPermissions.filter((name) => lists.every((list) => list?.includes(name) ?? true));
  const limits = smallest(parent.limits, type ? type.limits : child.limits);
  return { permissions, limits: Object.keys(limits).length > 0 ? limits : null, depth: depthOf(parent) + 1 };
}

export const depthOf = ({ depth = 1 }: Pick<StoredAccount, 'depth'>): number => depth;

function smallest(one: AccountLimits = {}, other: AccountLimits = {}): AccountLimits {
  const limits: AccountLimits = { ...one };
  for (const name of Object.keys(other) as (keyof AccountLimits)[]) {
    const value = other[name];
    if (value !== undefined) limits[name] = Math.min(value, limits[name] ?? value);
  }
  return limits;
}
