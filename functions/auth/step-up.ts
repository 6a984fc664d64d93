import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { StepUpInput, StepUpResult, stepUp } from '../../shared/people/sessions/step-up.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/step-up',
  access: 'session',
  sessionOnly: true,
  rights: ['sign-ins:keep'],
  factorSecrets: 'read',
  body: StepUpInput,
  response: StepUpResult,
  oneTime: ['stepUpToken'],
  errors: [
    'users_only',
    'password_wrong',
    'code_wrong',
    'challenge_invalid',
    'passkey_rejected',
    'passkeys_unavailable',
    'too_many_requests',
  ],
  happenings: ['identity_proved', 'factor_codes_rejected'],
  noDryRun: 'A dry run would check a password without counting the attempt.',
  summary: 'Prove the caller’s identity again',
  description:
    'Users with a second factor send `code`, or `credential`: the use of a passkey with the challenge of ' +
    'POST /auth/login/passkey. Other users send `password`. The proof of the session is then valid for ' +
    'ten minutes, as after a login. With `purpose`, the response contains a token instead. The token is valid once, for ' +
    'five minutes, in this session, and for this purpose and record. During an impersonation, the administrator sends this ' +
    'request in the own session, which renews the proof of the impersonation, too.',
  decide: stepUp,
});
