import { mustSignOn } from '../../shared/accounts/must-sign-on.ts';
import { requireFactor } from '../../shared/accounts/require-factor.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApiError } from '../../shared/errors.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { leaveAccount, OwnMembershipParams, ownMember } from '../../shared/people/users/leave-account.ts';
import { memberAsCaller } from '../../shared/people/users/member-as-caller.ts';
import { accountEntry } from '../../shared/people/users/show-user.ts';
import { LeftAccount, ReassignQuery } from '../../shared/support/reassignments/schema.ts';
import { departureResult, readDeparture } from '../../shared/support/reassignments/start-reassignment.ts';

export default endpoint({
  method: 'DELETE',
  path: '/users/{email}/accounts/{accountId}/membership',
  access: 'session',
  params: OwnMembershipParams,
  query: ReassignQuery,
  response: LeftAccount,
  errors: [
    'users_only',
    'last_administrator',
    'user_unknown',
    'permission_denied',
    'factor_required',
    'passkey_required',
    'single_sign_on_required',
  ],
  emits: ['user_removed_from_account', 'user_deleted'],
  rights: ['sign-ins:keep'],
  destructive: true,
  summary: 'Decline an invitation to an account, or leave the account',
  description:
    'Only the user in the path may send this request. To decline an invitation, the user needs a session with a password ' +
    'that was set with a mailed token. The last administrator cannot leave. If the account enforces single sign-on for the user, only an administrator can end the membership. The user is deleted if the user has no other ' +
    'account or invitation.',
  decide: async (request) => {
    const { principal, query, now } = request;
    const own = await ownMember(principal, request.params);
    // To decline an invitation, no factor is needed, because the person does not use the account.
    if (!own.membership.invited) {
      requireFactor(own.account, principal, now);
      if (mustSignOn(own.account, principal)) throw new ApiError('single_sign_on_required');
    }
    const account = own.account.id;
    const departure = await readDeparture(account, principal.id, query.reassignTo);
    const member = { ...memberAsCaller(own.membership, await roles.all(account)), actor: principal.actor };
    const started = departureResult(departure, { account, principal: member, now });
    const left = await leaveAccount(own, request);
    return {
      response: { ...accountEntry(own, own.account), ...started.fields },
      writes: [...left.writes, ...started.writes],
      events: left.events,
    };
  },
});
