import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { PasskeyRequest } from '../../shared/people/factors/schema.ts';
import { startPasskeyLogin } from '../../shared/people/sessions/log-in.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/login/passkey',
  access: 'public',
  rights: ['secret:read'],
  response: PasskeyRequest,
  errors: ['passkeys_unavailable'],
  summary: 'Begin a login with a passkey, without a password',
  description:
    'The response is the same for everybody. Pass `publicKey` to the browser, and send the result with the challenge to ' +
    'POST /auth/login/verify. The passkey verifies its user, so it counts as two factors.',
  decide: async ({ now }) => ({ response: await startPasskeyLogin(now) }),
});
