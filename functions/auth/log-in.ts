import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { FactorNeeded } from '../../shared/people/factors/schema.ts';
import { Credentials, logIn, verifyCredentials } from '../../shared/people/sessions/log-in.ts';
import { UserSession } from '../../shared/people/sessions/schema.ts';
import { either } from '../../shared/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  rights: ['secret:read', 'sign-ins:keep'],
  body: Credentials,
  bodyOptional: true,
  response: either(UserSession, FactorNeeded),
  errors: ['login_failed', 'too_many_requests'],
  emits: ['user_logged_in'],
  noDryRun: 'A dry run would check a password without counting the attempt.',
  summary: 'Log in with an API key, or with email and password',
  description:
    'The key can also be sent in the x-api-key and x-api-secret headers, without a body. If the user has a second factor, ' +
    'the response contains a challenge instead of a token.',
  decide: async ({ body, headers, ipAddress, now, countCall, runOnce }) => {
    const credentials = { apiKey: headers['x-api-key'], apiSecret: headers['x-api-secret'], ...body };
    const holder = await runOnce(() => verifyCredentials(credentials, { source: ipAddress, now, countCall }));
    return logIn(holder, now);
  },
});
