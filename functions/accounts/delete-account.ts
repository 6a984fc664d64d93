import { closeAccount } from '../../shared/accounts/close-account.ts';
import { Account, AccountParams } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { openClosing } from '../../shared/closing/open-closing.ts';
import { CloseQuery } from '../../shared/closing/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { notFound } from '../../shared/errors.ts';

export default endpoint({
  method: 'DELETE',
  path: '/accounts/{id}',
  administratorOnly: true,
  params: AccountParams,
  query: CloseQuery,
  response: Account,
  emits: ['account_deleted'],
  summary: 'Delete the account in x-account-id',
  description:
    'Closes the account at once: all requests of its users, API keys and applicants are rejected with account_closed, and its mails, text messages, webhook deliveries and jobs wait. An export is written. After 30 days, the account is erased. Until then, POST /accounts/{id}/reopen continues it.',
  read: ({ account }) => accounts.get(account),
  decide: (request, before) => {
    if (request.params.id !== before.id) throw notFound('account', request.params.id);
    const after = closeAccount(before, request.query.confirmName, request);
    return { response: accounts.show(after), ...openClosing(before, after, request) };
  },
});
