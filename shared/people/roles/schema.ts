import { array, nameText, object, partial, type Static, string } from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const name = nameText({ maxLength: 100, examples: ['Sales agent'] });
const flatPermissionsList = array(string({ maxLength: 64 }), {
  maxItems: 200,
  examples: [['readLeads', 'writeLeads']],
});

export const Role = object({ ...recordFields, name, flatPermissionsList });
export type Role = Static<typeof Role>;

export const RoleInput = object({ name, flatPermissionsList });
export const RolePatch = partial({ name, flatPermissionsList });

export interface Roles {
  roles: Record<string, Role>;
}

export const PermissionList = object({ flatPermissionsList });
