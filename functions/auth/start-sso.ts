import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { boolean, object, optional, string, webAddress } from '../../shared/schema.ts';
import { beginSignOn } from '../../shared/single-sign-on/begin-sign-on.ts';

export default endpoint({
  method: 'GET',
  path: '/auth/sso/start',
  access: 'public',
  query: object({
    accountId: optional(string({ maxLength: 64, examples: ['acme'] })),
    connectionId: optional(string({ maxLength: 16, examples: ['214563398120449'] })),
    domain: optional(
      string({
        maxLength: 253,
        description:
          'The domain of the user’s address, in place of `accountId` and `connectionId`. Do not send the address.',
        examples: ['example.com'],
      }),
    ),
    returnTo: optional(
      webAddress({ description: 'One of `returnUrls` of the connection. Default: the first one.' }),
    ),
    fresh: optional(
      boolean({
        description:
          'If true, the provider proves the user’s identity again, as requests with the error `step_up_required` need.',
      }),
    ),
    codeChallenge: string({
      minLength: 43,
      maxLength: 43,
      pattern: '^[\\w-]{43}$',
      description:
        'The SHA-256 hash of a secret of the app, in base64url. POST /auth/sso/exchange needs the secret (as in RFC 7636, `S256`).',
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
  }),
  response: Message,
  success: 'redirect',
  errors: ['not_found', 'account_closed', 'provider_unavailable'],
  rights: ['secret:read', 'domains:hold', 'connections:read'],
  summary: 'Begin a sign-in at the account’s identity provider',
  description:
    'For browsers. Sets a cookie for ten minutes and redirects to the provider. The sign-in ends at `returnTo`.',
  decide: async (request) => {
    const { location, cookie } = await beginSignOn(request);
    return {
      response: { message: 'Continue at the identity provider.' },
      headers: { location, 'set-cookie': cookie },
    };
  },
});
