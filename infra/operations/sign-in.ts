import { type Client, createClient } from '../client/client.ts';
import { keyInEnvironment, localCredentials } from './credentials.ts';

export interface Connection {
  client: Client;
  baseUrl: string;
  account: string;
  /** The email of the user, or the id of the API key. */
  caller: string;
}

/**
 * Returns a client for the service at the address. Without an address, signs in as the administrator of the local
 * service, because API keys cannot perform all actions. The client signs in with its first request. Throws
 * InvalidOption if the credentials are missing.
 */
export function signIn(given: string | undefined): Connection {
  const { API_EMAIL: user, API_PASSWORD: secret, API_ACCOUNT: chosen } = process.env;
  if (given !== undefined && user && secret && chosen) return asUser(given, chosen, user, secret);
  if (given !== undefined) {
    const key = keyInEnvironment();
    // The id of a key contains its account.
    const [, account = key.apiKey] = /^mo_key_(.+)_[^_]+$/.exec(key.apiKey) ?? [];
    return { client: createClient({ baseUrl: given, ...key }), baseUrl: given, account, caller: key.apiKey };
  }
  const { baseUrl, accountId, adminEmail, adminPassword } = localCredentials();
  return asUser(baseUrl, accountId, adminEmail, adminPassword);
}

const asUser = (baseUrl: string, account: string, email: string, password: string): Connection => ({
  client: createClient({ baseUrl, account, email, password }),
  baseUrl,
  account,
  caller: email,
});
