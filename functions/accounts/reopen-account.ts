import { reopenAccount } from '../../shared/accounts/close-account.ts';
import { Account, AccountParams } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { closings } from '../../shared/closing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { notFound } from '../../shared/errors.ts';
import { updated } from '../../shared/events/emit.ts';

export default endpoint({
  method: 'POST',
  path: '/accounts/{id}/reopen',
  administratorOnly: true,
  servesClosed: true,
  params: AccountParams,
  response: Account,
  emits: ['account_updated'],
  summary: 'Reopen a deleted account',
  description:
    'Possible until the erasure begins, 30 days after the deletion. Work that waited continues within 15 minutes. An account that is open does not change.',
  read: ({ account }) => accounts.get(account),
  decide: (request, before) => {
    if (request.params.id !== before.id) throw notFound('account', request.params.id);
    const after = reopenAccount(before, request);
    const response = accounts.show(after);
    if (after === before) return { response, writes: [], events: [] };
    return {
      response,
      writes: [...accounts.replace(before, after), closings.remove(before.id)],
      events: updated(accounts, 'account_updated', accounts.show(before), response),
    };
  },
});
