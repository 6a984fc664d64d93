import { subjectOf } from '../../shared/events/subject.ts';
import { grantRoles } from '../../shared/people/roles/grant-roles.ts';
import { requireHoldsAllOf } from '../../shared/people/users/find-member.ts';
import { memberEndpoint } from '../../shared/people/users/member-endpoint.ts';
import { invitationRenewed, renewInvitation } from '../../shared/people/users/renew-invitation.ts';
import { roleNames } from '../../shared/people/users/rules.ts';
import { RoleNames } from '../../shared/people/users/schema.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import { revise } from '../../shared/table/revise.ts';

export default memberEndpoint(
  {
    method: 'PUT',
    path: '/users/{email}/roles',
    permission: 'writeUsers',
    body: RoleNames,
    errors: ['role_unknown', 'grant_exceeds_own', 'administrator_only', 'holds_more'],
    emits: ['user_roles_updated', 'user_updated'],
    summary: 'Set the roles of a user in this account',
  },
  (request, member, all) => {
    const { user, membership } = member;
    requireHoldsAllOf(request.principal, membership, all);
    const roleIds = grantRoles(all, request.body.roles, request.principal);
    const after = revise(membership, { roleIds }, request);
    const [from, to] = [roleNames(membership, all), roleNames(after, all)];
    const subject = subjectOf(users, after);
    const renewed = renewInvitation(member, after, request.now);
    return {
      member: { user, membership: renewed },
      writes: memberships.replace(membership, renewed),
      events:
        after === membership
          ? []
          : [
              { kind: 'user_roles_updated', subject, data: { from, to } },
              ...invitationRenewed(after, renewed),
            ],
    };
  },
);
