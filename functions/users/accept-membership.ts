import { requireOpen } from '../../shared/accounts/close-account.ts';
import { AccountEntry } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { acceptInvitation } from '../../shared/people/users/accept-invitation.ts';
import { OwnMembershipParams } from '../../shared/people/users/leave-account.ts';
import { presentInvitationToken } from '../../shared/people/users/password-tokens.ts';
import { MailedToken, Password } from '../../shared/people/users/schema.ts';
import { accountEntry } from '../../shared/people/users/show-user.ts';
import { object, optional } from '../../shared/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/users/{email}/accounts/{accountId}/membership',
  access: 'public',
  params: OwnMembershipParams,
  body: object({ token: MailedToken, password: optional(Password) }),
  response: AccountEntry,
  errors: ['token_invalid', 'password_required', 'quota_exceeded', 'account_closed'],
  emits: ['user_updated', 'user_password_changed'],
  rights: ['sign-ins:keep'],
  summary: 'Accept an invitation to an account',
  description:
    'Only the token that was mailed for this invitation is accepted. A password replaces the current one and ends all ' +
    'sessions of the user. It is required if the user has no password, or if the current password was not set with a ' +
    'mailed token, because another account may know it.',
  decide: async ({ params, body, now }) => {
    const { member: invited, use } = await presentInvitationToken(body.token, params, now);
    const { member, writes, events } = await acceptInvitation(invited, body.password, now);
    const account = await accounts.get(member.membership.accountId);
    requireOpen(account);
    return { response: accountEntry(member, account), writes: [...use, ...writes], events };
  },
});
