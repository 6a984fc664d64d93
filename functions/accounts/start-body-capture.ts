import { Account, AccountParams } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { BodyCaptureInput } from '../../shared/body-capture/schema.ts';
import { startCapture } from '../../shared/body-capture/switch-capture.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';

export default endpoint({
  method: 'PUT',
  path: '/accounts/{id}/body-capture',
  administratorOnly: true,
  sensitive: true,
  params: AccountParams,
  body: BodyCaptureInput,
  response: Account,
  emits: ['account_updated'],
  rights: ['account:write'],
  summary: 'Capture request and response bodies for some days',
  description:
    'Until `bodyCaptureUntil`, the bodies of each request that changes records of the account are stored without their sensitive values, encrypted, and for 14 days. A second request changes the end.',
  read: ({ account, params }) => accounts.getOwn(account, params.id),
  decide: async (request, account) => {
    const { after, write } = await startCapture(account, request.body.days, request);
    return {
      response: accounts.show(after),
      writes: [...accounts.replace(account, after), write],
      events: updated(accounts, 'account_updated', accounts.show(account), accounts.show(after)),
    };
  },
});
