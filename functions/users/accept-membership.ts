import { endpoint } from '../../shared/http/endpoint.ts';
import { AccountEntry } from '../../shared/sessions/user-session.ts';
import { acceptMembership, OwnMembershipParams, ownMember } from '../../shared/users/own-membership.ts';
import { accountEntry } from '../../shared/users/user-view.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/users/{email}/accounts/{accountId}/membership',
    access: 'session',
    params: OwnMembershipParams,
    response: AccountEntry,
    refuses: ['users_only'],
    announces: ['user_updated'],
    summary: 'Accept an invitation to an account',
    description: 'For the user itself. GET /accounts lists the invitations that wait for an answer.',
  },
  {
    decide: async ({ params, caller, now }) => {
      const own = await ownMember(caller, params);
      const { member, ...changes } = acceptMembership(own, now);
      return { answer: accountEntry(member, own.account), ...changes };
    },
  },
);
