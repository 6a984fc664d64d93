import { reopenAccount } from '../../shared/accounts/close-account.ts';
import { Account, AccountParams } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { cancelClosing } from '../../shared/closing/open-closing.ts';
import { ownOrChildAccount } from '../../shared/closing/read-account.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

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
    'For administrators of the account or of its parent. Possible until the erasure begins, 30 days after the deletion. Work that waited continues within 15 minutes. An account that is open does not change.',
  read: ({ account, params }) => ownOrChildAccount(account, params.id),
  decide: (request, before) => {
    const after = reopenAccount(before, request);
    const response = accounts.show(after);
    if (after === before) return { response, writes: [], events: [] };
    return { response, ...cancelClosing(before, after) };
  },
});
