import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { unnamedChange } from '../../shared/events/unnamed-change.ts';
import { endImpersonations } from '../../shared/people/impersonation/end-impersonation.ts';
import { impersonations } from '../../shared/people/impersonation/store.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { UserParams } from '../../shared/people/users/schema.ts';
import { integer, object } from '../../shared/schema.ts';

export default endpoint({
  method: 'DELETE',
  path: '/users/{email}/impersonation',
  administratorOnly: true,
  orSelf: 'path',
  params: UserParams,
  response: object({
    ended: integer({ description: 'The number of impersonations that were open.', examples: [1] }),
  }),
  emits: ['no_event_name'],
  summary: 'End all open impersonations of a user',
  description:
    'Allowed for the user and for administrators of the account. To end a single impersonation, send POST /auth/logout ' +
    'with its token.',
  read: async ({ account, params, now }) => {
    const { user } = await requireMember(account, params.email);
    return impersonations.open(account, user.id, now);
  },
  decide: (request, open) => ({
    response: { ended: open.length },
    writes: endImpersonations(open, request),
    events: open.flatMap((one) => unnamedChange(request.account, 'impersonation', 'updated', one)),
  }),
});
