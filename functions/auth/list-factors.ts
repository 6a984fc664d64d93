import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Factors } from '../../shared/people/factors/schema.ts';
import { showFactors } from '../../shared/people/factors/show-factor.ts';
import { factors } from '../../shared/people/factors/store.ts';
import { requireUser } from '../../shared/security/require-user.ts';

export default endpoint({
  method: 'GET',
  path: '/auth/factors',
  access: 'session',
  sessionOnly: true,
  impersonated: 'never',
  response: Factors,
  errors: ['users_only'],
  summary: 'List the caller’s second factors',
  decide: async ({ principal }) => ({
    response: showFactors(await factors.of(requireUser(principal))),
  }),
});
