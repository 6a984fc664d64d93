import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { openQuery, optional, string } from '../../shared/schema.ts';
import { finishSignOn } from '../../shared/single-sign-on/finish-sign-on.ts';

const parameter = () => optional(string({ maxLength: 4096 }));

export default endpoint({
  method: 'GET',
  path: '/auth/sso/callback',
  access: 'public',
  query: openQuery({
    code: parameter(),
    state: parameter(),
    iss: parameter(),
    error: parameter(),
    error_description: parameter(),
  }),
  response: Message,
  success: 'redirect',
  errors: ['sign_on_state_invalid', 'provider_unavailable'],
  rights: ['secret:read', 'connections:read', 'client-secret:use'],
  summary: 'Receive the browser from the account’s identity provider',
  description:
    'For browsers. Verifies the response of the provider and redirects to `returnTo`. The fragment contains `code`, or `error` and `message`. If the provider is down, the browser can load the same address again within ten minutes.',
  decide: async (request) => {
    const { location, cookie } = await finishSignOn(request);
    return {
      response: { message: 'Continue at the page of the app.' },
      headers: { location, 'set-cookie': cookie },
    };
  },
});
