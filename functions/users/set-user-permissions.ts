import { updated } from '../../shared/events/emit.ts';
import { PermissionList } from '../../shared/people/roles/schema.ts';
import { requireHoldsAllOf } from '../../shared/people/users/find-member.ts';
import { memberForEvents } from '../../shared/people/users/make-user.ts';
import { memberEndpoint } from '../../shared/people/users/member-endpoint.ts';
import { changeRights } from '../../shared/people/users/renew-invitation.ts';
import { effectivePermissions } from '../../shared/people/users/rules.ts';
import { users } from '../../shared/people/users/store.ts';
import { readGrant, requireShowsNoMore } from '../../shared/security/grants.ts';
import { revise } from '../../shared/table/revise.ts';

export default memberEndpoint(
  {
    method: 'PUT',
    path: '/users/{email}/permissions',
    permission: 'writeUsers',
    proof: 'rights',
    body: PermissionList,
    errors: ['permission_unknown', 'grant_exceeds_own', 'administrator_only', 'holds_more'],
    emits: ['user_permissions_set_directly', 'user_updated'],
    summary: 'Set the permissions that a user has in addition to the permissions of roles',
  },
  (request, member, all) => {
    const { membership } = member;
    requireHoldsAllOf(request.principal, membership, all);
    const flatPermissionsList = readGrant(request.body.flatPermissionsList, request.principal);
    const after = revise(membership, { flatPermissionsList }, request);
    requireShowsNoMore(request.principal, effectivePermissions(after, all));
    const [from, to] = [memberForEvents(membership), memberForEvents(after)];
    const events = updated(users, 'user_permissions_set_directly', from, to);
    return changeRights(member, after, request, events);
  },
);
