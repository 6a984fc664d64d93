import { array, object, string } from '../schema.ts';

/** A body that sets permissions. Interface, "PATCH /apikeys/{id}/permissions". */
export const PermissionList = object({
  flatPermissionsList: array(string({ maxLength: 64 }), {
    maxItems: 200,
    examples: [['readLeads', 'writeLeads']],
  }),
});
