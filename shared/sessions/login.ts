import type { AccountId } from '../accounts/account-id.ts';
import type { StoredApiKey } from '../apikeys/api-key.ts';
import { apiKeys } from '../apikeys/api-keys.ts';
import { readAuthority } from '../auth/authority.ts';
import { identifyKey } from '../auth/identity.ts';
import { passwordMatches } from '../auth/password.ts';
import type { Outcome } from '../http/endpoint.ts';
import { invalid, Refusal } from '../http/errors.ts';
import { email, object, optional, type Static, string } from '../schema.ts';
import { users } from '../users/users.ts';
import { sessionOfKey, sessionOfUser } from './session-view.ts';
import { openSession } from './sessions.ts';
import type { UserSession } from './user-session.ts';

const text = () => optional(string({ maxLength: 256 }));

/** An API key and its secret, or an email and a password. Interface, "POST /auth/login". */
export const Credentials = object({
  apiKey: text(),
  apiSecret: text(),
  email: optional(email()),
  password: optional(string({ maxLength: 1024 })),
});
export type Credentials = Static<typeof Credentials>;

/**
 * Opens a session for whoever the credentials are. Refuses with `login_failed`, in one wording and after the same
 * work whether the name or the secret is wrong.
 */
export async function logIn(credentials: Credentials, now: Date): Promise<Outcome<UserSession>> {
  const { apiKey, apiSecret, email: address, password } = credentials;
  if (apiKey !== undefined && apiSecret !== undefined) return logInKey(apiKey, apiSecret, now);
  if (address !== undefined && password !== undefined) return logInUser(address, password, now);
  throw invalid('', 'send apiKey and apiSecret, or email and password');
}

async function logInKey(apiKey: string, apiSecret: string, now: Date): Promise<Outcome<UserSession>> {
  const key = await provenKey(apiKey, apiSecret, now);
  const home = key.accountId as AccountId;
  const session = await openSession({ kind: 'key', id: key.id, home, epoch: 0, endsAt: key.expiresAt }, now);
  return {
    answer: await sessionOfKey(key, session.token),
    writes: session.writes,
    events: [
      {
        kind: 'user_logged_in',
        account: home,
        actor: { user: key.apiKey, apiKey: key.apiKey },
        subject: { type: 'api_key', id: key.id },
        data: { method: 'api_key' },
      },
    ],
  };
}

async function provenKey(apiKey: string, apiSecret: string, now: Date): Promise<StoredApiKey> {
  const identity = identifyKey(apiKey, apiSecret);
  if (!identity) throw new Refusal('login_failed');
  try {
    (await readAuthority(identity, undefined, now)).caller();
    return await apiKeys.get(identity.home, String(identity.id));
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'busy') throw new Refusal('login_failed');
    throw error;
  }
}

async function logInUser(address: string, password: string, now: Date): Promise<Outcome<UserSession>> {
  const found = await users.addressByEmailAcrossAccounts(address);
  const user = found && (await users.find(found));
  if (!(await passwordMatches(password, user?.passwordHash)) || !user) throw new Refusal('login_failed');
  const home = user.home as AccountId;
  const session = await openSession({ kind: 'user', id: user.id, home, epoch: user.sessionEpoch }, now);
  return {
    answer: await sessionOfUser(user, session.token),
    writes: session.writes,
    events: [
      {
        kind: 'user_logged_in',
        account: home,
        actor: { user: user.email, apiKey: null },
        subject: { type: 'user', id: user.id },
        data: { method: 'password' },
      },
    ],
  };
}
