import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { confirmFactor } from '../../shared/people/factors/confirm-factor.ts';
import { ConfirmedFactor, FactorParams, FactorProof } from '../../shared/people/factors/schema.ts';
import { keepSession } from '../../shared/people/sessions/store.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/factors/{factorId}/confirm',
  access: 'session',
  sessionOnly: true,
  proof: 'factors',
  factorSecrets: 'read',
  params: FactorParams,
  body: FactorProof,
  response: ConfirmedFactor,
  oneTime: ['recoveryCodes'],
  rights: ['passkeys:hold'],
  errors: [
    'users_only',
    'mailbox_not_proved',
    'code_wrong',
    'passkey_rejected',
    'passkeys_unavailable',
    'factor_required',
    'passkey_required',
  ],
  happenings: ['factor_added'],
  noDryRun: 'A dry run would show recovery codes that are not stored.',
  summary: 'Confirm a second factor',
  description:
    'Send the first `code` of an authenticator app, or the `credential` of a new passkey. From now on, a login needs a ' +
    'factor. The first factor ends every other session, and the response contains ten recovery codes.',
  decide: async (request) => {
    const { response, writes, events, session } = await confirmFactor(request);
    return {
      response,
      writes: [...writes, ...keepSession(request.principal, session)],
      events,
    };
  },
});
