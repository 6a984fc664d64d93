import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import { credential, object, recordId, string } from '../../shared/schema.ts';
import { logOutAtProvider } from '../../shared/single-sign-on/log-out.ts';
import { ssoConnections, unknownConnection } from '../../shared/single-sign-on/store.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/sso/logout/{accountId}/{connectionId}',
  access: 'public',
  params: object({
    accountId: string({ maxLength: 64, examples: ['acme'] }),
    connectionId: recordId(),
  }),
  acceptsForm: true,
  body: object({
    logout_token: credential({
      minLength: 1,
      maxLength: 16_384,
      description: 'The logout token of the provider, a signed JWT.',
      examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.e30.c2lnbmF0dXJl'],
    }),
  }),
  response: Message,
  errors: ['not_found', 'sign_on_rejected', 'provider_unavailable'],
  emits: ['user_logged_out'],
  noDryRun: 'The identity provider sends the request.',
  summary: 'Receive a back-channel logout of the account’s identity provider',
  description:
    'The provider sends a logout token (OpenID Connect Back-Channel Logout). Ends the sessions by single sign-on that the token names: those of its `sid`, or all of its `sub`.',
  decide: async ({ params, body, now }) => {
    const account = asAccountId(params.accountId);
    const connection = account && (await ssoConnections.find(account, params.connectionId));
    if (!connection) throw unknownConnection();
    const { writes, events } = await logOutAtProvider(connection, body.logout_token, now);
    return { response: { message: 'The sessions have ended.' }, writes, events };
  },
});
