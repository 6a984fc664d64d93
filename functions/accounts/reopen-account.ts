import { reopenAccount } from '../../shared/accounts/close-account.ts';
import { AccountParams } from '../../shared/accounts/schema.ts';
import { cancelClosing, showClosed } from '../../shared/closing/open-closing.ts';
import { ownOrChildAccount } from '../../shared/closing/read-account.ts';
import { ClosedAccount } from '../../shared/closing/schema.ts';
import { continueWork } from '../../shared/closing/stop-work.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/accounts/{id}/reopen',
  administratorOnly: true,
  servesClosed: true,
  params: AccountParams,
  response: ClosedAccount,
  emits: ['account_updated'],
  rights: ['account:write'],
  summary: 'Reopen a deleted account',
  description:
    'For administrators of the account or of its parent. Possible until the erasure begins, 30 days after the deletion. Work that waited continues within two minutes. A vanity domain that was active must be validated and activated again. An account that is open does not change.',
  read: ({ account, params }) => ownOrChildAccount(account, params.id),
  decide: async (request, before) => {
    const after = reopenAccount(before, request);
    const response = showClosed(after);
    if (after === before) return { response, writes: [], events: [] };
    const { writes, events } = cancelClosing(before, after);
    return { response, writes: [...writes, ...(await continueWork(before.id, request.now))], events };
  },
});
