import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readOwnFactors } from '../../shared/people/factors/change-factors.ts';
import { newFactor } from '../../shared/people/factors/new-factor.ts';
import { withNewFactor } from '../../shared/people/factors/rules.ts';
import { FactorInput, NewFactor } from '../../shared/people/factors/schema.ts';
import { showFactor } from '../../shared/people/factors/show-factor.ts';
import { factors } from '../../shared/people/factors/store.ts';
import { users } from '../../shared/people/users/store.ts';
import { requireOwnFactor, requireProvedUser } from '../../shared/security/require-user.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/factors',
  access: 'session',
  sessionOnly: true,
  proof: 'factors',
  factorSecrets: 'make',
  body: FactorInput,
  response: NewFactor,
  success: 'created',
  oneTime: ['secret', 'uri'],
  errors: [
    'users_only',
    'mailbox_not_proved',
    'too_many_factors',
    'passkeys_unavailable',
    'factor_required',
    'passkey_required',
  ],
  writes: true,
  noDryRun: 'A dry run would show a secret that is not stored.',
  summary: 'Begin to add a second factor',
  description:
    'The factor is used after POST /auth/factors/{factorId}/confirm: an authenticator app within 15 minutes, a passkey ' +
    'within 5 minutes. Replaces an earlier factor that was not confirmed. A user with factors needs a session that has ' +
    'proved one, and a user with a passkey needs one that has proved a passkey or a recovery code.',
  decide: async ({ body, principal, now }) => {
    const { user, stored } = await readOwnFactors({ principal: requireProvedUser(principal) });
    requireOwnFactor(principal, user);
    const { factor, shown } = await newFactor(body, { user, stored, now });
    return {
      response: { factor: showFactor(factor), ...shown },
      writes: [...factors.replace(user, stored, withNewFactor(stored, factor)), users.unchanged(user)],
      events: [],
    };
  },
});
