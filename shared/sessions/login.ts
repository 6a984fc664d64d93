import type { Announcement } from '../../events/event.ts';
import type { AccountId } from '../accounts/account-id.ts';
import type { StoredApiKey } from '../apikeys/api-key.ts';
import { apiKeys } from '../apikeys/api-keys.ts';
import { readAuthority } from '../auth/authority.ts';
import { type Actor, type Caller, subjectOf } from '../auth/caller.ts';
import { identifyKey } from '../auth/identity.ts';
import type { Outcome } from '../http/endpoint.ts';
import { invalid, Refusal } from '../http/errors.ts';
import { email, object, optional, type Static, string } from '../schema.ts';
import { normalizeEmail } from '../users/email.ts';
import { logAccountOf } from '../users/log-account.ts';
import { users } from '../users/users.ts';
import { countFailure, refuseAfterFailures, throttledPassword } from './login-throttle.ts';
import { sessionOfKey, sessionOfUser } from './session-view.ts';
import { openSession } from './sessions.ts';
import type { UserSession } from './user-session.ts';

/** An API key and its secret, or an email and a password. Interface, "POST /auth/login". */
export const Credentials = object({
  apiKey: optional(string({ maxLength: 256, examples: ['mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf'] })),
  apiSecret: optional(
    string({ maxLength: 256, examples: ['mo_sk_7Qm2xV9bN4kT1wZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWzYc'] }),
  ),
  email: optional(email({ examples: ['grace@example.com'] })),
  password: optional(string({ maxLength: 1024, examples: ['correct horse battery staple'] })),
});
export type Credentials = Static<typeof Credentials>;

/**
 * Opens a session for whoever the credentials are. Refuses with `login_failed`, in one wording and after the same
 * work whether the name or the secret is wrong, and with `too_many_requests` after ten failures in 15 minutes for
 * one name from one source.
 */
export async function logIn(
  credentials: Credentials,
  source: string,
  now: Date,
): Promise<Outcome<UserSession>> {
  const { apiKey, apiSecret, email: address, password } = credentials;
  if (apiKey !== undefined && apiSecret !== undefined) return logInKey(apiKey, apiSecret, source, now);
  if (address !== undefined && password !== undefined) return logInUser(address, password, source, now);
  throw invalid('', 'send apiKey and apiSecret, or email and password');
}

async function logInKey(
  apiKey: string,
  apiSecret: string,
  source: string,
  now: Date,
): Promise<Outcome<UserSession>> {
  const attempt = { name: apiKey, source };
  await refuseAfterFailures(attempt, now);
  const key = await provenKey(apiKey, apiSecret, now);
  if (!key) {
    // Nobody guesses 256 bits, so tries need no counting beforehand: a fleet may log in with one key at once.
    await countFailure(attempt, now);
    throw new Refusal('login_failed');
  }
  const home = key.accountId as AccountId;
  const holder = { kind: 'key', id: key.id, home, epoch: key.sessionEpoch, endsAt: key.expiresAt } as const;
  const session = await openSession(holder, now);
  return {
    answer: await sessionOfKey(key, session.token),
    writes: session.writes,
    events: [loggedIn(holder, home, { user: key.apiKey, apiKey: key.apiKey })],
  };
}

const loggedIn = (holder: Pick<Caller, 'kind' | 'id'>, account: string, actor: Actor): Announcement => ({
  kind: 'user_logged_in',
  account,
  actor,
  subject: subjectOf(holder),
  data: { method: holder.kind === 'key' ? 'api_key' : 'password' },
});

async function provenKey(apiKey: string, apiSecret: string, now: Date): Promise<StoredApiKey | undefined> {
  const identity = identifyKey(apiKey, apiSecret);
  if (!identity) return undefined;
  try {
    (await readAuthority(identity, undefined, now)).caller();
    return await apiKeys.get(identity.home, String(identity.id));
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'busy') return undefined;
    throw error;
  }
}

async function logInUser(
  address: string,
  password: string,
  source: string,
  now: Date,
): Promise<Outcome<UserSession>> {
  const name = normalizeEmail(address);
  const found = await users.addressByEmailAcrossAccounts(name);
  const user = found && (await users.find(found));
  const right = await throttledPassword(password, user?.passwordHash, { name, source }, now);
  if (!right || !user) throw new Refusal('login_failed');
  const holder = {
    kind: 'user',
    id: user.id,
    home: user.home as AccountId,
    epoch: user.sessionEpoch,
  } as const;
  const session = await openSession(holder, now);
  return {
    answer: await sessionOfUser(user, session.token),
    writes: session.writes,
    events: [loggedIn(holder, logAccountOf(user), { user: user.email, apiKey: null })],
  };
}
