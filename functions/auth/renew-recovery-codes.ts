import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { renewRecoveryCodes } from '../../shared/people/factors/change-factors.ts';
import { RecoveryCodes } from '../../shared/people/factors/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/recovery-codes',
  access: 'session',
  sessionOnly: true,
  proof: 'factors',
  response: RecoveryCodes,
  success: 'created',
  oneTime: ['recoveryCodes'],
  errors: ['users_only', 'not_found', 'factor_required', 'passkey_required'],
  happenings: ['recovery_codes_renewed'],
  noDryRun: 'A dry run would show recovery codes that are not stored.',
  summary: 'Replace the caller’s recovery codes',
  description: 'The earlier codes become invalid. Fails if the caller has no confirmed factor.',
  decide: renewRecoveryCodes,
});
