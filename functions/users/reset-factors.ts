import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { ApiError } from '../../shared/errors.ts';
import { resetFactors } from '../../shared/people/factors/change-factors.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { requireOwnFactorOfSelf } from '../../shared/people/users/is-self.ts';
import { belongsOnlyTo } from '../../shared/people/users/rules.ts';
import { UserParams } from '../../shared/people/users/schema.ts';
import { memberships } from '../../shared/people/users/store.ts';

export default endpoint({
  method: 'DELETE',
  path: '/users/{email}/factors',
  administratorOnly: true,
  proof: 'factors',
  rights: ['emails:find', 'passkeys:hold'],
  params: UserParams,
  response: Message,
  errors: ['shared_user', 'own_session_required', 'passkey_required'],
  happenings: ['factor_reset'],
  summary: 'Remove all second factors of a user of this account only, and end all sessions of the user',
  description:
    'For a user who has lost the factors and the recovery codes. Fails if the user is a member of another account. For the own factors, the session must be able to remove them with DELETE /auth/factors/{factorId}.',
  read: ({ account, params }) => requireMember(account, params.email),
  decide: async (request, { user, membership }) => {
    if (!belongsOnlyTo(request.account, user))
      throw new ApiError('shared_user', {
        message:
          'This user is not a member of this account only. Only the user or an operator can remove the factors.',
      });
    requireOwnFactorOfSelf(request.principal, user);
    const { writes, events } = await resetFactors(user, request);
    return {
      response: { message: 'The factors are removed and every session has ended.' },
      writes: [memberships.unchanged(membership), ...writes],
      events,
    };
  },
});
