import { expect } from 'vitest';
import logIn from '../../functions/auth/log-in.ts';
import { createAccount, type FirstCredentials } from '../../infra/administration/create-account.ts';
import { successStatus } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { DryRun } from '../../shared/http/dry-run.ts';
import type { Static, TSchema } from '../../shared/schema.ts';
import { call, type Sent } from './call.ts';
import { sessionsFor } from './sessions-for.ts';

/** A caller of the API with its credential and account. */
export interface Client {
  headers: Record<string, string>;
  /** Returns the response, including an error response. */
  call: typeof call;
  /** Returns the body of a successful response. Other responses fail the test. */
  ok<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>(
    endpoint: Endpoint<P, Q, B, R>,
    sent?: Sent<Static<P>, Static<Q>, Static<B>>,
  ): Promise<Static<R>>;
  /** Returns the response of a successful dry run. Other responses fail the test. */
  dryRun<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>(
    endpoint: Endpoint<P, Q, B, R>,
    sent?: Sent<Static<P>, Static<Q>, Static<B>>,
  ): Promise<DryRun<Static<R>>>;
}

const isDryRun = <E extends Endpoint>(body: unknown): body is DryRun<Static<E['contract']['response']>> =>
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
  async dryRun(endpoint, sent = {}) {
    const query = { ...(sent.query as object), dryRun: true };
    const { status, body } = await call(endpoint, {
      ...sent,
      query,
      headers: { ...headers, ...sent.headers },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    if (!isDryRun<typeof endpoint>(body)) throw new Error('The response is not a dry run.');
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
  const { token } = await client({}).ok(logIn, { body: credentials });
  return `Bearer ${token}`;
}
