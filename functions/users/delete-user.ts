import { UserParams } from '../../shared/people/users/schema.ts';
import { removalEndpoint } from '../../shared/support/reassignments/removal-endpoint.ts';

export default removalEndpoint({
  path: '/users/{email}',
  params: UserParams,
  summary: 'Remove a user from the account',
  description:
    'The user is deleted if the user has no other account or invitation. If only invitations remain, the user loses a ' +
    'password that was not set with a mailed token.',
});
