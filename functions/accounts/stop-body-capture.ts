import { Account, AccountParams } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { stopCapture } from '../../shared/body-capture/switch-capture.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';

export default endpoint({
  method: 'DELETE',
  path: '/accounts/{id}/body-capture',
  administratorOnly: true,
  params: AccountParams,
  response: Account,
  emits: ['account_updated'],
  rights: ['account:write'],
  summary: 'Stop capturing bodies',
  description: 'The bodies that were captured remain until they expire, or their record is deleted.',
  read: ({ account, params }) => accounts.getOwn(account, params.id),
  decide: (request, account) => {
    const after = stopCapture(account, request);
    return {
      response: accounts.show(after),
      writes: accounts.replace(account, after),
      events: updated(accounts, 'account_updated', accounts.show(account), accounts.show(after)),
    };
  },
});
