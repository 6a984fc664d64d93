import { endpoint } from '../../shared/http/endpoint.ts';
import { AccountEntry } from '../../shared/sessions/user-session.ts';
import { leaveAccount, OwnMembershipParams, ownMember } from '../../shared/users/own-membership.ts';
import { accountEntry } from '../../shared/users/user-view.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/users/{email}/accounts/{accountId}/membership',
    access: 'session',
    params: OwnMembershipParams,
    response: AccountEntry,
    refuses: ['users_only', 'last_administrator'],
    announces: ['user_removed_from_account', 'user_deleted'],
    summary: 'Decline an invitation to an account, or leave the account',
    description:
      'For the user itself, unless it is the last administrator. With its last account the user itself goes.',
  },
  {
    decide: async ({ params, caller, now }) => {
      const own = await ownMember(caller, params);
      return { answer: accountEntry(own, own.account), ...(await leaveAccount(own, now)) };
    },
  },
);
