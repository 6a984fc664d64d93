import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { countReach, UserReach } from '../../shared/people/users/count-reach.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { UserParams } from '../../shared/people/users/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/users/{email}/reach',
  permission: 'readUsers',
  orSelf: 'path',
  params: UserParams,
  response: UserReach,
  rights: ['emails:find'],
  runsLists: true,
  weigh: () => weightOfWindow,
  summary: 'Count the records that a user can read',
  description:
    'Users do not need the permission to ask about themselves. The counts are those of the lists for this user. A request counts as ten requests of the caller’s limit.',
  read: ({ account, params }) => Promise.all([requireMember(account, params.email), roles.all(account)]),
  decide: async (request, [{ membership }, all]) => ({
    response: await countReach(request, membership, all),
  }),
});
