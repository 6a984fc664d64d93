import { expect } from 'vitest';
import logIn from '../../functions/auth/log-in.ts';
import { createAccount, type FirstCredentials } from '../../infra/administration/create-account.ts';
import { successStatus } from '../../shared/endpoints/contract.ts';
import type { AnyContract, Endpoint, StaticOf } from '../../shared/endpoints/endpoint.ts';
import type { DryRun } from '../../shared/http/dry-run.ts';
import type { UserSession } from '../../shared/people/sessions/schema.ts';
import { call, type Sent } from './call.ts';
import { sessionsFor } from './sessions-for.ts';

/** A caller of the API with its credential and account. */
export interface Client {
  headers: Record<string, string>;
  /** Returns the response, including an error response. */
  call: typeof call;
  /** Returns the body of a successful response. Other responses fail the test. */
  ok<C extends AnyContract>(endpoint: Endpoint<C>, sent?: Sent<C>): Promise<StaticOf<C, 'response'>>;
  /** Returns the response of a successful dry run. Other responses fail the test. */
  dryRun<C extends AnyContract>(
    endpoint: Endpoint<C>,
    sent?: Sent<C>,
  ): Promise<DryRun<StaticOf<C, 'response'>>>;
}

const isDryRun = <R>(body: unknown): body is DryRun<R> =>
  typeof body === 'object' && body !== null && 'dryRun' in body;

/** A client that sends these headers with every call. */
export const client = (headers: Record<string, string>): Client => ({
  headers,
  call: (endpoint, sent = {}) => call(endpoint, { ...sent, headers: { ...headers, ...sent.headers } }),
  async ok(endpoint, sent = {}) {
    const { status, body } = await call(endpoint, { ...sent, headers: { ...headers, ...sent.headers } });
    expect(status, JSON.stringify(body)).toBe(successStatus(endpoint.contract));
    return body;
  },
  async dryRun<C extends AnyContract>(endpoint: Endpoint<C>, sent: Sent<C> = {}) {
    const query = { ...(sent.query as object), dryRun: true };
    const { status, body } = await call(endpoint, {
      ...sent,
      query,
      headers: { ...headers, ...sent.headers },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    if (!isDryRun<StaticOf<C, 'response'>>(body)) throw new Error('The response is not a dry run.');
    return body;
  },
});

/** An account with its administrator and its first API key, each as a client. */
export interface Tenant extends FirstCredentials {
  /** The administrator's session. */
  admin: Client;
  /** A session of an API key that has every permission. */
  key: Client;
  /** The same API key without a session: each request sends the id and the secret of the key. */
  directKey: Client;
  /** The caller that sends records of the external API. Default: the administrator. */
  vendor?: Client;
}

let tenants = 0;

/** Creates an account for the tests of one file. */
export async function tenant(): Promise<Tenant> {
  tenants += 1;
  const credentials = await createAccount({
    name: `Tenant ${tenants}`,
    adminEmail: `admin${tenants}@tenant.test`,
    adminPassword: 'correct horse battery staple',
  });
  const { accountId, apiKey, apiSecret, adminEmail } = credentials;
  const account = { 'x-account-id': accountId };
  const [ofAdmin = '', ofKey = ''] = await sessionsFor({ email: adminEmail }, { apiKey, apiSecret });
  return {
    ...credentials,
    admin: client({ ...account, authorization: ofAdmin }),
    key: client({ ...account, authorization: ofKey }),
    directKey: client({ ...account, 'x-api-key': apiKey, 'x-api-secret': apiSecret }),
  };
}

/** Logs in and returns the Authorization header of the session. */
export async function signIn(credentials: Record<string, string>): Promise<string> {
  const { token } = sessionIn(await client({}).ok(logIn, { body: credentials }));
  return `Bearer ${token}`;
}

/** Returns the session in the response of a login. Fails if the login needs a second factor. */
export function sessionIn(response: UserSession | object): UserSession {
  if (!('token' in response)) throw new Error('The login needs a second factor.');
  return response;
}
