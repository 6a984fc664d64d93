import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { unnamedChange } from '../../shared/events/unnamed-change.ts';
import {
  endSelected,
  readOpenImpersonations,
} from '../../shared/people/impersonation-records/open-impersonations.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { UserParams } from '../../shared/people/users/schema.ts';
import { integer, object } from '../../shared/schema.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'DELETE',
  path: '/users/{email}/impersonation',
  administratorOnly: true,
  orSelf: 'path',
  params: UserParams,
  response: object({
    ended: integer({ description: 'The number of impersonations that were open.', examples: [1] }),
  }),
  rights: ['sign-ins:keep'],
  happenings: ['impersonation_ended'],
  summary: 'End all open impersonations of a user',
  description:
    'Allowed for the user and for administrators of the account. To end a single impersonation, send POST /auth/logout ' +
    'with its token.',
  read: ({ account, params }) =>
    inParallel([requireMember(account, params.email), readOpenImpersonations(account)]),
  decide: async (request, [{ user }, open]) => {
    const { ended, writes } = await endSelected(open, ({ userId }) => userId === user.id, request);
    return {
      response: { ended: ended.length },
      writes,
      events: ended.flatMap((one) => {
        const { userId, email, createdBy, createdAt: startedAt, write } = one;
        const detail = { userId, email, startedAt, write, ...(createdBy && { startedBy: createdBy }) };
        return unnamedChange(request.account, 'impersonation_ended', one, detail);
      }),
    };
  },
});
