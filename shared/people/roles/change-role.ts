import { updated } from '../../events/emit.ts';
import type { Effects } from '../../events/envelope.ts';
import type { Static } from '../../schema.ts';
import {
  heldBy,
  readGrant,
  requireHoldsAll,
  requireKeepsLimits,
  requireShowsNoMore,
} from '../../security/grants.ts';
import type { Principal } from '../../security/principal.ts';
import { revise } from '../../table/revise.ts';
import type { Role, RolePatch, Roles } from './schema.ts';
import { roleIn, roles } from './store.ts';

interface RoleRequest {
  params: { id: number };
  body: Static<typeof RolePatch>;
  principal: Principal;
  now: Date;
}

/** Changes a role. Throws if the principal may not change the role or may not grant the permissions. */
export function changeRole(request: RoleRequest, all: Roles): Effects & { response: Role } {
  const { params, body, principal } = request;
  const role = roleIn(all, params.id);
  requireHoldsAll(principal, heldBy(role));
  const flatPermissionsList = body.flatPermissionsList && readGrant(body.flatPermissionsList, principal);
  if (flatPermissionsList) {
    requireShowsNoMore(principal, flatPermissionsList);
    requireKeepsLimits(principal, role.flatPermissionsList, flatPermissionsList);
  }
  const after = revise(role, { name: body.name, flatPermissionsList }, request);
  return {
    response: after,
    writes: roles.replace(all, role, after),
    events: updated(roles, 'role_permissions_updated', role, after),
  };
}
