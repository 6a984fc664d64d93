import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { FactorUseInput } from '../../shared/people/factors/schema.ts';
import { beginSession } from '../../shared/people/sessions/log-in.ts';
import { UserSession } from '../../shared/people/sessions/schema.ts';
import { verifyFactor } from '../../shared/people/sessions/verify-factor.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/login/verify',
  access: 'public',
  rights: ['secret:read', 'passkeys:hold'],
  factorSecrets: 'read',
  body: FactorUseInput,
  response: UserSession,
  errors: [
    'challenge_invalid',
    'code_wrong',
    'passkey_rejected',
    'passkeys_unavailable',
    'too_many_requests',
  ],
  emits: ['user_logged_in'],
  happenings: ['factor_codes_rejected'],
  noDryRun: 'A dry run would check a code without counting the attempt.',
  summary: 'Complete a login with a factor',
  description:
    'Send `code` or `credential`. Accepts the current code of an authenticator app, the code before, or a recovery code. ' +
    'Each code works once. After five wrong codes in a row, each further attempt has to wait, from 30 seconds up to 15 ' +
    'minutes. A `credential` is the use of a passkey, which also completes a login without a password.',
  decide: async (request) => {
    const { holder, proof } = await request.runOnce(() => verifyFactor(request));
    return beginSession(holder, request.now, proof);
  },
});
