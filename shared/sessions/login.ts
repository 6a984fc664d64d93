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
import type { StoredUser } from '../users/user.ts';
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

/** Whose the credentials are. */
export type Holder = { kind: 'user'; user: StoredUser } | { kind: 'key'; key: StoredApiKey };

interface Trying {
  /** The address that the request came from. */
  source: string;
  now: Date;
}

/**
 * Finds out whose the credentials are, and counts the try. Refuses with `login_failed`, in one wording and after the
 * same work whether the name or the secret is wrong, and with `too_many_requests` after ten failures in 15 minutes
 * for one name from one source.
 */
export async function proveHolder(credentials: Credentials, trying: Trying): Promise<Holder> {
  const { apiKey, apiSecret, email: address, password } = credentials;
  if (apiKey !== undefined && apiSecret !== undefined) return proveKey(apiKey, apiSecret, trying);
  if (address !== undefined && password !== undefined) return proveUser(address, password, trying);
  throw invalid('', 'send apiKey and apiSecret, or email and password');
}

async function proveKey(apiKey: string, apiSecret: string, { source, now }: Trying): Promise<Holder> {
  const attempt = { name: apiKey, source };
  await refuseAfterFailures(attempt, now);
  const key = await provenKey(apiKey, apiSecret, now);
  if (key) return { kind: 'key', key };
  // Nobody guesses 256 bits, so tries need no counting beforehand: a fleet may log in with one key at once.
  await countFailure(attempt, now);
  throw new Refusal('login_failed');
}

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

async function proveUser(address: string, password: string, { source, now }: Trying): Promise<Holder> {
  const name = normalizeEmail(address);
  const found = await users.addressByEmailAcrossAccounts(name);
  const user = found && (await users.find(found));
  const right = await throttledPassword(password, user?.passwordHash, { name, source }, now);
  if (!right || !user) throw new Refusal('login_failed');
  return { kind: 'user', user };
}

/** Opens a session for whoever proved to hold the credentials, and announces it. */
export async function logIn(holder: Holder, now: Date): Promise<Outcome<UserSession>> {
  const { session: opening, account, actor } = describe(holder);
  const { token, writes } = await openSession(opening, now);
  const answer = holder.kind === 'key' ? sessionOfKey(holder.key, token) : sessionOfUser(holder.user, token);
  return { answer: await answer, writes, events: [loggedIn(opening, account, actor)] };
}

/** What a session is opened with, the account whose log it enters, and who is on record for it. */
function describe(holder: Holder) {
  if (holder.kind === 'key') {
    const { id, accountId, apiKey, sessionEpoch: epoch, expiresAt: endsAt } = holder.key;
    const home = accountId as AccountId;
    const session = { kind: 'key', id, home, epoch, endsAt } as const;
    return { session, account: home, actor: { user: apiKey, apiKey } };
  }
  const { id, email, sessionEpoch: epoch } = holder.user;
  const session = { kind: 'user', id, home: holder.user.home as AccountId, epoch } as const;
  return { session, account: logAccountOf(holder.user), actor: { user: email, apiKey: null } };
}

const loggedIn = (holder: Pick<Caller, 'kind' | 'id'>, account: string, actor: Actor): Announcement => ({
  kind: 'user_logged_in',
  account,
  actor,
  subject: subjectOf(holder),
  data: { method: holder.kind === 'key' ? 'api_key' : 'password' },
});
