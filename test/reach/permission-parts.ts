import { allPermissions, limitedPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';

/** The permissions for all records of the four types. */
export const wide = Object.keys(limitedPermissions) as Permission[];

/** The permissions for some records of the four types. */
export const limited = Object.values(limitedPermissions).flatMap((parts) => Object.values(parts));

/** Every permission that is not about the four types. */
export const others = allPermissions.filter((name) => !wide.includes(name) && !limited.includes(name));
