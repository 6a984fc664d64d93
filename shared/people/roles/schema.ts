import { array, nameText, object, optional, partial, type Static, string } from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const name = nameText({ maxLength: 100, examples: ['Sales agent'] });
const flatPermissionsList = array(string({ maxLength: 64 }), {
  maxItems: 200,
  examples: [['readLeads', 'writeLeads']],
});

/** For accounts that can use only some permissions. Ignored in requests. */
export const EffectivePermissions = array(string({ examples: ['readLeads'] }), {
  'x-volatile': true,
  description:
    'The permissions of the list that the account can use. GET returns the field if the account cannot use all of them.',
});

export const Role = object({
  ...recordFields,
  name,
  flatPermissionsList,
  effectivePermissions: optional(EffectivePermissions),
});
export type Role = Static<typeof Role>;

export const RoleInput = object({ name, flatPermissionsList });
export const RolePatch = partial({ name, flatPermissionsList });

export interface Roles {
  roles: Record<string, Role>;
  /** The permissions that the account can use. Absent if it can use all. A copy of the account's `permissions`. */
  accountPermissions?: readonly string[];
}

export const PermissionList = object({ flatPermissionsList });
