import { accounts } from '../../shared/accounts/store.ts';
import { createChild, requireType } from '../../shared/child-accounts/create-child.ts';
import { ChildAccount, ChildAccountInput } from '../../shared/child-accounts/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { takeInvitation } from '../../shared/people/users/limit-invitations.ts';
import { users } from '../../shared/people/users/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/accounts',
  administratorOnly: true,
  body: ChildAccountInput,
  response: ChildAccount,
  success: 'created',
  rights: ['account:create', 'account:write', 'emails:find'],
  errors: ['accounts_too_deep', 'already_member', 'quota_exceeded'],
  emits: ['account_created', 'user_created', 'user_added_to_account'],
  noDryRun: 'A dry run would reveal without a trace whether the email belongs to a user of another account.',
  summary: 'Create a child account and invite its administrator',
  description:
    'The service mails an invitation token to the administrator. The new account can use the permissions of its type that ' +
    'the account in x-account-id can use. The account in x-account-id cannot read records of the new account. Accounts can ' +
    'have at most three levels, and an account has at most 1,000 child accounts.',
  read: ({ account, body }) =>
    inParallel([
      accounts.get(account),
      requireType(account, body.accountTypeId),
      users.findInvitedByEmailAcrossAccounts(body.adminEmail),
    ]),
  decide: async (request, [parent, type, known]) => {
    const created = createChild(request, parent, type, known);
    await takeInvitation(request.body.adminEmail, request);
    return created;
  },
});
