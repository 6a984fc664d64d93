import { UserParams } from '../../shared/people/users/schema.ts';
import { object, string } from '../../shared/schema.ts';
import { removalEndpoint } from '../../shared/support/reassignments/removal-endpoint.ts';

export default removalEndpoint({
  path: '/users/{email}/accounts/{accountId}',
  params: object({ ...UserParams.properties, accountId: string({ maxLength: 64, examples: ['acme'] }) }),
  summary: 'End a user’s membership of the account in x-account-id, or withdraw the user’s invitation',
});
