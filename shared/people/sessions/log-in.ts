import type { Outcome, Request } from '../../endpoints/endpoint.ts';
import { ApiError, invalid } from '../../errors.ts';
import { normalizeEmail } from '../../formats.ts';
import { email, enteredSecret, object, optional, type Static, string } from '../../schema.ts';
import { callCounterKey, callsOf } from '../../security/call-limit.ts';
import { keyCredential } from '../../security/credential.ts';
import { digestOf } from '../../security/keys.ts';
import { type AuthenticatedPrincipal, type FactorUse, principalSubject } from '../../security/principal.ts';
import { configuredParty, relyingParty } from '../../security/relying-party.ts';
import { signChallenge, signPasskeyChallenge } from '../../security/tokens.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import type { StoredApiKey } from '../apikeys/schema.ts';
import { requestOptions } from '../factors/passkeys.ts';
import { challengeMilliseconds } from '../factors/rules.ts';
import type { FactorNeeded, PasskeyRequest } from '../factors/schema.ts';
import { logAccountOf } from '../users/rules.ts';
import type { StoredUser } from '../users/schema.ts';
import { users } from '../users/store.ts';
import { loadPrincipal } from './load-principal.ts';
import type { UserSession } from './schema.ts';
import { sessionOfKey, sessionOfUser } from './show-session.ts';
import { openSession } from './store.ts';
import { checkFailures, countFailure, throttledPassword } from './throttle-login.ts';

export const Credentials = object({
  apiKey: optional(string({ maxLength: 256, examples: ['mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf'] })),
  apiSecret: optional(
    enteredSecret({
      maxLength: 256,
      examples: ['mo_sk_7Qm2xV9bN4kT1wZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWzYc'],
    }),
  ),
  email: optional(email({ examples: ['grace@example.com'] })),
  password: optional(enteredSecret({ maxLength: 1024, examples: ['correct horse battery staple'] })),
});
export type Credentials = Static<typeof Credentials>;

/** The factor that a login has proved, and how the login began. */
export interface LoginProof {
  factor: FactorUse;
  method: 'password' | 'passkey';
}

export interface VerifiedHolder {
  principal: AuthenticatedPrincipal;
  record: { kind: 'user'; user: StoredUser } | { kind: 'key'; key: StoredApiKey };
}

interface LoginRequest extends Pick<Request, 'now' | 'countCall'> {
  /** The IP address of the request. */
  source: string;
}

/**
 * Verifies credentials. A failure counts toward the limits of the name and the source. A success counts as a call of
 * the principal. Throws `login_failed` for a wrong name or secret, with the same message and the same computation in
 * both cases. Throws `too_many_requests` above a limit.
 */
export async function verifyCredentials(
  credentials: Credentials,
  request: LoginRequest,
): Promise<VerifiedHolder> {
  const { apiKey, apiSecret, email: address, password } = credentials;
  if (apiKey !== undefined && apiSecret !== undefined) return verifyKey(apiKey, apiSecret, request);
  if (address !== undefined && password !== undefined) return verifyUser(address, password, request);
  throw invalid('', 'send apiKey and apiSecret, or email and password');
}

async function verifyKey(apiKey: string, apiSecret: string, request: LoginRequest): Promise<VerifiedHolder> {
  const { source, now } = request;
  const attempt = { name: apiKey, source };
  await checkFailures(attempt, now);
  const verified = await readVerifiedKey(apiKey, apiSecret, now);
  if (!verified) {
    // Counts an attempt only after it failed, so that many clients can log in with the same key concurrently. This is
    // safe, because a 256-bit secret cannot be guessed.
    await countFailure(attempt, now);
    throw new ApiError('login_failed');
  }
  request.countCall(verified.principal, verified.counter);
  return { principal: verified.principal, record: { kind: 'key', key: verified.key } };
}

async function readVerifiedKey(
  apiKey: string,
  apiSecret: string,
  now: Date,
): Promise<{ principal: AuthenticatedPrincipal; key: StoredApiKey; counter: Item | undefined } | undefined> {
  const credential = keyCredential(apiKey, apiSecret);
  if (!credential) return undefined;
  const {
    holder,
    principal: verifiedPrincipal,
    alongside,
  } = await loadPrincipal(credential, undefined, now, { counter: callCounterKey(callsOf(credential), now) });
  try {
    const principal = verifiedPrincipal();
    return holder && { principal, key: recordOf(holder), counter: alongside.counter };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function verifyUser(address: string, password: string, request: LoginRequest): Promise<VerifiedHolder> {
  const { source, now } = request;
  const name = normalizeEmail(address);
  const found = await users.addressByEmailAcrossAccounts(name);
  const [user, counter] = found
    ? await Promise.all([
        users.find(found),
        getItem(callCounterKey(callsOf({ kind: 'user', ...found }), now)),
      ])
    : [];
  const right = await throttledPassword(password, user?.passwordHash, { name, source }, now);
  if (!right || !user) throw new ApiError('login_failed');
  const holder = holderOf(user);
  request.countCall(holder.principal, counter);
  return holder;
}

/** Opens a session, or returns a challenge if the user has a second factor. */
export async function logIn(
  holder: VerifiedHolder,
  now: Date,
): Promise<Outcome<UserSession | Static<typeof FactorNeeded>>> {
  const { record } = holder;
  if (record.kind === 'key' || !record.user.secondFactor) return beginSession(holder, now);
  const { id, home, sessionEpoch: epoch, hasPasskey } = record.user;
  const expiresAt = challengeExpiry(now);
  const challenge = await signChallenge({ id, home, epoch, expiresAt }, now);
  const party = hasPasskey && configuredParty();
  return {
    response: {
      mfaRequired: true,
      challenge,
      expiresAt: expiresAt.toISOString(),
      ...(party && { publicKey: requestOptions(party, digestOf(challenge)) }),
    },
    writes: [],
    events: [],
  };
}

/** Starts a login with a passkey alone. The response is the same for everybody. Throws `passkeys_unavailable`. */
export async function startPasskeyLogin(now: Date): Promise<Static<typeof PasskeyRequest>> {
  const party = relyingParty();
  const expiresAt = challengeExpiry(now);
  const challenge = await signPasskeyChallenge(expiresAt, now);
  return {
    challenge,
    expiresAt: expiresAt.toISOString(),
    publicKey: requestOptions(party, digestOf(challenge)),
  };
}

const challengeExpiry = (now: Date): Date => new Date(now.getTime() + challengeMilliseconds);

export const holderOf = (user: StoredUser): VerifiedHolder => ({
  principal: {
    kind: 'user',
    id: user.id,
    home: user.home,
    actor: { user: user.email, apiKey: null },
    log: logAccountOf(user),
  },
  record: { kind: 'user', user },
});

export async function beginSession(
  { principal, record }: VerifiedHolder,
  now: Date,
  { factor, method = 'password' }: Partial<LoginProof> = {},
): Promise<Outcome<UserSession>> {
  const { kind, id, home, log: account, actor } = principal;
  const [epoch, endsAt] =
    record.kind === 'key' ? [record.key.sessionEpoch, record.key.expiresAt] : [record.user.sessionEpoch];
  // An account may know a password that is not proved.
  const hidesHome = record.kind === 'user' && !record.user.proved;
  const { token, writes } = await openSession({ kind, id, home, hidesHome, epoch, endsAt, factor }, now);
  const response =
    record.kind === 'key' ? await sessionOfKey(record.key, token) : await sessionOfUser(record.user, token);
  const data = { method: kind === 'key' ? ('api_key' as const) : method, ...(factor && { factor }) };
  const subject = principalSubject(principal);
  return { response, writes, events: [{ kind: 'user_logged_in', account, actor, subject, data }] };
}
