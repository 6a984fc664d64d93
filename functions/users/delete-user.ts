import { memberEndpoint } from '../../shared/people/users/member-endpoint.ts';
import { removeMember } from '../../shared/people/users/remove-member.ts';

export default memberEndpoint(
  {
    method: 'DELETE',
    path: '/users/{email}',
    permission: 'writeUsers',
    errors: ['own_membership', 'administrator_only', 'holds_more'],
    emits: ['user_removed_from_account', 'user_deleted'],
    summary: 'Remove a user from the account',
    description: 'The user is deleted if the user has no other account or invitation.',
  },
  (request, member, all) => removeMember(member, all, request),
);
