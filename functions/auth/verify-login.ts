import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Code, FactorNeeded } from '../../shared/people/factors/schema.ts';
import { beginSession, verifyFactor } from '../../shared/people/sessions/log-in.ts';
import { UserSession } from '../../shared/people/sessions/schema.ts';
import { object } from '../../shared/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/login/verify',
  access: 'public',
  rights: ['secret:read'],
  factorSecrets: 'read',
  body: object({ challenge: FactorNeeded.properties.challenge, code: Code }),
  response: UserSession,
  errors: ['challenge_invalid', 'code_wrong', 'too_many_requests'],
  emits: ['user_logged_in'],
  noDryRun: 'A dry run would check a code without counting the attempt.',
  summary: 'Complete a login with a code of a second factor',
  description:
    'Accepts the current code of an authenticator app, the code before, or a recovery code. Each code works once. After ' +
    'five wrong codes in a row, each further attempt has to wait, from 30 seconds up to 15 minutes.',
  decide: async (request) => {
    const { holder, factor } = await request.runOnce(() => verifyFactor(request));
    return beginSession(holder, request.now, factor);
  },
});
