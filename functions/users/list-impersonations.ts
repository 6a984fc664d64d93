import { listing } from '../../shared/endpoints/listing.ts';
import { impersonationsOf } from '../../shared/people/impersonation/list-impersonations.ts';
import { Impersonation, impersonationFields } from '../../shared/people/impersonation-records/schema.ts';
import { UserParams } from '../../shared/people/users/schema.ts';

export default listing(
  {
    path: '/users/{email}/impersonations',
    administratorOnly: true,
    orSelf: 'path',
    rights: ['emails:find'],
    params: UserParams,
    item: Impersonation,
    fields: impersonationFields,
    summary: 'List the impersonations of a user in the account',
    description: 'Allowed for the user and for administrators of the account.',
  },
  ({ account, params }) => impersonationsOf(account, params.email),
);
