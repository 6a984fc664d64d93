import { updated } from '../../shared/events/emit.ts';
import { PermissionList } from '../../shared/people/roles/schema.ts';
import { requireHoldsAllOf } from '../../shared/people/users/find-member.ts';
import { memberForEvents } from '../../shared/people/users/make-user.ts';
import { memberEndpoint } from '../../shared/people/users/member-endpoint.ts';
import { invitationRenewed, renewInvitation } from '../../shared/people/users/renew-invitation.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import { readGrant } from '../../shared/security/grants.ts';
import { revise } from '../../shared/table/revise.ts';

export default memberEndpoint(
  {
    method: 'PUT',
    path: '/users/{email}/permissions',
    permission: 'writeUsers',
    body: PermissionList,
    errors: ['permission_unknown', 'grant_exceeds_own', 'administrator_only', 'holds_more'],
    emits: ['user_permissions_set_directly', 'user_updated'],
    summary: 'Set the permissions that a user has in addition to the permissions of roles',
  },
  (request, member, all) => {
    const { user, membership } = member;
    requireHoldsAllOf(request.principal, membership, all);
    const flatPermissionsList = readGrant(request.body.flatPermissionsList, request.principal);
    const after = revise(membership, { flatPermissionsList }, request);
    const [from, to] = [memberForEvents(membership), memberForEvents(after)];
    const renewed = renewInvitation(member, after, request.now);
    return {
      member: { user, membership: renewed },
      writes: memberships.replace(membership, renewed),
      events: [
        ...updated(users, 'user_permissions_set_directly', from, to),
        ...invitationRenewed(after, renewed),
      ],
    };
  },
);
