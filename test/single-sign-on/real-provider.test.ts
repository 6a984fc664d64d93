import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { expect, test } from 'vitest';
import listLeads from '../../functions/leads/list-leads.ts';
import { member } from '../harness/member.ts';
import { client, tenant } from '../harness/tenant.ts';
import { CookieBrowser, receiveLogouts, serve } from './real-provider.ts';
import { began, calledBack, connected, exchanged, fragmentOf, holdDomain } from './world.ts';

const acme = await tenant();
await holdDomain(acme, 'acme.example.com');
const ada = await member(acme, ['readLeads'], { email: 'ada@acme.example.com' });

const logouts = await receiveLogouts(acme);

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const clients = {
  client_secret_basic: { client_secret: 'a secret of the client' },
  client_secret_post: { client_secret: 'a secret of the client' },
  private_key_jwt: { jwks: { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'ours' }] } },
} as const;
type Authentication = keyof typeof clients;

let provider: Provider | undefined;
const issuer = await serve((request, response) => {
  if (request.url?.startsWith('/interaction/')) void interact(request, response);
  else provider?.callback()(request, response);
});
provider = new Provider(issuer, {
  clients: Object.entries(clients).map(([method, credentials]) => ({
    ...credentials,
    client_id: method,
    token_endpoint_auth_method: method,
    redirect_uris: ['http://api.test/auth/sso/callback'],
    backchannel_logout_uri: logouts.url,
    backchannel_logout_session_required: true,
  })),
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  cookies: { keys: ['a key of this test'] },
  jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
  features: {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    rpInitiatedLogout: {
      logoutSource: (context: { body: string }, form: string) => {
        context.body = form;
      },
    },
  },
  ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
  // The dispatcher of the provider refuses private addresses.
  fetch: (url: string, { method, headers, body }: RequestInit) => fetch(url, { method, headers, body }),
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  findAccount: (_: unknown, accountId: string) => ({
    accountId,
    claims: () => ({ sub: accountId, email: ada.user.email, email_verified: true, name: 'Ada' }),
  }),
});

/** Signs in Ada and gives the consent, in place of the pages of the provider. */
async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!provider) return;
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: params.client_id });
  grant.addOIDCScope('openid email profile');
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** A browser at the provider, whose users need no page. */
class ProviderBrowser extends CookieBrowser {
  /** Follows redirects until the callback of the service. Returns its query. */
  async signIn(location: string): Promise<Record<string, string>> {
    let at = location;
    for (let n = 0; n < 10 && at.startsWith(issuer); n++) {
      const response = await this.send(at);
      at = new URL(response.headers.get('location') ?? '', at).href;
    }
    return Object.fromEntries(new URL(at).searchParams);
  }

  async signOut(): Promise<void> {
    const page = await (await this.send(`${issuer}/session/end`)).text();
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    await this.send(`${issuer}/session/end/confirm`, {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    });
  }
}

test.each(Object.keys(clients) as Authentication[])(
  'oidc-provider signs in a member with %s, and its logout ends the session',
  async (authentication) => {
    const usesKey = authentication === 'private_key_jwt';
    const connection = await connected(
      acme,
      { issuer },
      {
        clientId: authentication,
        authentication,
        ...(usesKey && {
          clientSecret: undefined,
          privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
          keyId: 'ours',
        }),
        domains: authentication === 'client_secret_basic' ? ['acme.example.com'] : [],
      },
    );
    logouts.connectionId = connection.id;
    const atProvider = new ProviderBrowser();
    const browser = await began(connection);
    const { headers } = await calledBack(await atProvider.signIn(browser.location), browser);
    const { code = '', error, message } = fragmentOf(headers);
    expect({ error, message }).toEqual({});
    const { status, body } = await exchanged(code, browser.codeVerifier);
    expect(status, JSON.stringify(body)).toBe(200);
    const session = client({ authorization: `Bearer ${body.token}`, 'x-account-id': acme.accountId });
    await session.ok(listLeads);

    logouts.responses.length = 0;
    await atProvider.signOut();
    await expect.poll(() => logouts.responses.length).toBeGreaterThan(0);
    expect((await Promise.all(logouts.responses)).map(({ status: answered }) => answered)).toEqual([200]);
    expect((await session.call(listLeads)).status).toBe(401);
  },
);
