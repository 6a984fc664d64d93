import { subjectOf } from '../../shared/events/subject.ts';
import { grantRoles } from '../../shared/people/roles/grant-roles.ts';
import { requireHoldsAllOf } from '../../shared/people/users/find-member.ts';
import { memberEndpoint } from '../../shared/people/users/member-endpoint.ts';
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
    emits: ['user_roles_updated'],
    summary: 'Set the roles of a user in this account',
  },
  (request, { user, membership }, all) => {
    requireHoldsAllOf(request.principal, membership, all);
    const roleIds = grantRoles(all, request.body.roles, request.principal);
    const after = revise(membership, { roleIds }, request);
    const [from, to] = [roleNames(membership, all), roleNames(after, all)];
    const subject = subjectOf(users, after);
    return {
      member: { user, membership: after },
      writes: memberships.replace(membership, after),
      events: after === membership ? [] : [{ kind: 'user_roles_updated', subject, data: { from, to } }],
    };
  },
);
