import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { MailedToken } from '../../shared/people/users/schema.ts';
import { credential, object, optional } from '../../shared/schema.ts';
import { exchangeCode } from '../../shared/single-sign-on/exchange-code.ts';
import { SsoSession } from '../../shared/single-sign-on/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/sso/exchange',
  access: 'public',
  body: object({
    code: credential({
      minLength: 1,
      maxLength: 8192,
      description: 'The `code` in the fragment of `returnTo`. Valid once, for two minutes.',
      examples: ['eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..c2VhbGVk.dGFn'],
    }),
    codeVerifier: credential({
      minLength: 43,
      maxLength: 128,
      description: 'The secret whose hash was sent as `codeChallenge`.',
      examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
    }),
    invitationToken: optional(MailedToken),
  }),
  response: SsoSession,
  oneTime: ['token'],
  errors: [
    'sign_on_state_invalid',
    'sign_on_not_allowed',
    'token_invalid',
    'password_required',
    'quota_exceeded',
    'account_closed',
    'not_found',
  ],
  emits: ['user_created', 'user_updated', 'user_roles_updated', 'user_logged_in'],
  happenings: ['sso_identity_linked'],
  rights: ['secret:read', 'sign-ins:keep', 'domains:hold'],
  noDryRun: 'A dry run would open no session.',
  summary: 'Exchange the one-time code of a single sign-on for a session',
  description:
    'The session acts for the account only. At the first sign-in, the member is linked to the user of the identity provider. This needs a verified address in a domain that the account has proved, or the token of an invitation.',
  decide: exchangeCode,
});
