import type { EventDraft } from '../../shared/events/envelope.ts';
import { subjectOf } from '../../shared/events/subject.ts';
import { grantRoles } from '../../shared/people/roles/grant-roles.ts';
import { requireHoldsAllOf } from '../../shared/people/users/find-member.ts';
import { memberEndpoint } from '../../shared/people/users/member-endpoint.ts';
import { changeRights } from '../../shared/people/users/renew-invitation.ts';
import { roleNames } from '../../shared/people/users/rules.ts';
import { RoleNames } from '../../shared/people/users/schema.ts';
import { users } from '../../shared/people/users/store.ts';
import { revise } from '../../shared/table/revise.ts';

export default memberEndpoint(
  {
    method: 'PUT',
    path: '/users/{email}/roles',
    permission: 'writeUsers',
    proof: 'rights',
    body: RoleNames,
    errors: ['role_unknown', 'grant_exceeds_own', 'administrator_only', 'holds_more'],
    emits: ['user_roles_updated', 'user_updated'],
    summary: 'Set the roles of a user in this account',
  },
  (request, member, all) => {
    const { membership } = member;
    requireHoldsAllOf(request.principal, membership, all);
    const roleIds = grantRoles(all, request.body.roles, request.principal, membership.flatPermissionsList);
    const after = revise(membership, { roleIds }, request);
    const [from, to] = [roleNames(membership, all), roleNames(after, all)];
    const subject = subjectOf(users, after);
    const event: EventDraft = { kind: 'user_roles_updated', subject, data: { from, to } };
    return changeRights(member, after, request, after === membership ? [] : [event]);
  },
);
