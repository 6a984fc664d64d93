import { createHash, randomBytes } from 'node:crypto';
import type { JWTPayload } from 'jose';
import exchangeSso from '../../functions/auth/exchange-sso.ts';
import finishSso from '../../functions/auth/finish-sso.ts';
import startSso from '../../functions/auth/start-sso.ts';
import createSsoConnection from '../../functions/sso-connections/create-sso-connection.ts';
import { validateDomain } from '../../shared/domains/change-domain.ts';
import { requestedDomain } from '../../shared/domains/request-domain.ts';
import { domainHolders, vanityDomains } from '../../shared/domains/store.ts';
import type { SsoConnection, SsoConnectionInput } from '../../shared/single-sign-on/schema.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';
import { type Client, client, type Tenant } from '../harness/tenant.ts';
import type { LyingProvider } from './provider.ts';

export const anybody = client({});
export const returnUrl = 'https://portal.example.com/signed-in';
export const clientId = 'merchant-ops';

/** Makes an account the holder of a domain, as if it had proved its DNS. `earlier`: its holder until then. */
export async function holdDomain(
  { accountId, adminEmail }: Tenant,
  domain: string,
  earlier?: Tenant,
): Promise<void> {
  const author = { ...authoredBy(adminEmail, clock.now()), account: accountId };
  const requested = requestedDomain({ ...author, body: { domain } });
  const holder = earlier && (await domainHolders.find(domain));
  const held = holder && (await vanityDomains.find(holder.home, holder.domainId));
  const before = holder && { holder, ...(held && { domain: held }) };
  const { writes } = validateDomain(requested, before, { ...author, dryRun: false });
  await transact(vanityDomains.insert(requested), Date.now() + 10_000);
  await transact(writes, Date.now() + 10_000);
}

/** Connects a provider to an account. */
export const connected = (
  { admin }: Pick<Tenant, 'admin'>,
  { issuer }: Pick<LyingProvider, 'issuer'>,
  input: Partial<SsoConnectionInput> = {},
): Promise<SsoConnection> =>
  admin.ok(createSsoConnection, {
    body: {
      issuer,
      clientId,
      authentication: 'client_secret_basic',
      clientSecret: 'a secret of the client',
      domains: [],
      returnUrls: [returnUrl],
      ...input,
    },
  });

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** A browser and the app in it, which sign in once. */
export interface Browser {
  codeVerifier: string;
  cookie: string;
  location: string;
}

/** Begins a sign-in in a new browser. */
export async function began(connection: SsoConnection, fresh = false): Promise<Browser> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const { accountId, id: connectionId } = connection;
  const { headers } = await expectRedirect(
    anybody.call(startSso, {
      query: { accountId, connectionId: String(connectionId), codeChallenge: hashOf(codeVerifier), fresh },
    }),
  );
  const [cookie = ''] = (headers['set-cookie'] ?? '').split(';');
  return { codeVerifier, cookie, location: headers.location ?? '' };
}

async function expectRedirect<R extends { status: number; body: unknown }>(response: Promise<R>): Promise<R> {
  const found = await response;
  if (found.status !== 302) throw new Error(JSON.stringify(found.body));
  return found;
}

/** Sends the callback of a provider from a browser. */
export const calledBack = (query: Record<string, string>, { cookie }: Pick<Browser, 'cookie'>) =>
  anybody.call(finishSso, { query, headers: { cookie } });

/** The values in the fragment of the app's page. */
export const fragmentOf = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(new URLSearchParams((headers.location ?? '').split('#')[1]));

export const exchanged = (code: string, codeVerifier: string, invitationToken?: string) =>
  anybody.call(exchangeSso, { body: { code, codeVerifier, ...(invitationToken && { invitationToken }) } });

/** Signs in with these claims, up to the one-time code. The user proves the identity to the provider just now. */
export async function codeFor(provider: LyingProvider, connection: SsoConnection, claims: JWTPayload) {
  const browser = await began(connection);
  const fresh = { auth_time: asSeconds(clock.now()), ...claims };
  const { status, headers } = await calledBack(provider.authorize(browser.location, fresh), browser);
  return { ...browser, status, ...fragmentOf(headers) } as Browser & {
    status: number;
    code?: string;
    error?: string;
    message?: string;
  };
}

/** Signs in with these claims. Returns the response of the exchange. */
export async function signedIn(
  provider: LyingProvider,
  connection: SsoConnection,
  claims: JWTPayload,
  invitationToken?: string,
) {
  const { code, codeVerifier, error, message } = await codeFor(provider, connection, claims);
  if (code === undefined) throw new Error(`${error}: ${message}`);
  return exchanged(code, codeVerifier, invitationToken);
}

/** Signs in with these claims. Returns a client with the session. */
export async function sessionFor(
  provider: LyingProvider,
  connection: SsoConnection,
  claims: JWTPayload,
): Promise<Client> {
  const { status, body } = await signedIn(provider, connection, claims);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return client({ authorization: `Bearer ${body.token}`, 'x-account-id': connection.accountId });
}
