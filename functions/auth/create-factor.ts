import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { mintId } from '../../shared/id/mint.ts';
import { readOwnFactors } from '../../shared/people/factors/change-factors.ts';
import { withNewFactor } from '../../shared/people/factors/rules.ts';
import { FactorInput, NewFactor } from '../../shared/people/factors/schema.ts';
import { showFactor } from '../../shared/people/factors/show-factor.ts';
import { factors } from '../../shared/people/factors/store.ts';
import { newTotpSecret } from '../../shared/people/factors/totp.ts';
import { users } from '../../shared/people/users/store.ts';
import { requireProvedUser } from '../../shared/security/require-user.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/factors',
  access: 'session',
  sessionOnly: true,
  factorSecrets: 'make',
  body: FactorInput,
  response: NewFactor,
  success: 'created',
  oneTime: ['secret', 'uri'],
  errors: ['users_only', 'mailbox_not_proved', 'too_many_factors'],
  writes: true,
  noDryRun: 'A dry run would show a secret that is not stored.',
  summary: 'Begin to add a second factor',
  description:
    'The factor is used after POST /auth/factors/{factorId}/confirm with a first code, within 15 minutes. Replaces an ' +
    'earlier factor that was not confirmed.',
  decide: async ({ body, principal, now }) => {
    const { user, stored } = await readOwnFactors({ principal: requireProvedUser(principal) });
    const id = mintId(now);
    const { secret, uri, stored: encrypted } = await newTotpSecret(id, user.email);
    const factor = { id, ...body, createdAt: now.toISOString(), ...encrypted };
    return {
      response: { factor: showFactor(factor), secret, uri },
      writes: [...factors.replace(user, stored, withNewFactor(stored, factor)), users.unchanged(user)],
      events: [],
    };
  },
});
