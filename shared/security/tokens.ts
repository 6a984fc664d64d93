import { createHmac, randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { AccountId } from '../id/account-id.ts';
import { asAccountId } from '../id/account-id.ts';
import { type Keyring, keyring } from './keyring.ts';
import { type ProofSubject, type Purpose, subjectDigest } from './proofs.ts';
import { openHome, sealHome } from './seal-home.ts';

const issuer = 'merchant-ops';
const audience = 'merchant-ops-api';
/** The `typ` header. It prevents the use of other kinds of tokens as session tokens (RFC 8725, 3.11). */
const type = 'session+jwt';
const toleranceSeconds = 30;

/** The form of a session id: 16 random bytes in base64url. Other ids are rejected: they could be invalid in keys. */
const sessionIdForm = /^[\w-]{22}$/;

/** The administrator's own session that began an impersonation, and the account of both. */
export interface Impersonator {
  id: number;
  home: AccountId;
  sessionId: string;
  account: AccountId;
}

/** The claims of a session token. A token contains no permissions. */
interface SessionClaims {
  kind: 'user' | 'key';
  id: number;
  /** The user's home account, or the key's account. */
  home: AccountId;
  sessionId: string;
  expiresAt: Date;
  /** Present only if the token is for an impersonation. Becomes the claim `act` (RFC 8693, 4.1). */
  impersonator?: Impersonator;
  /** The only account of a session by single sign-on. */
  account?: AccountId;
}

/** The `typ` header of a challenge: the proof that a login had the right password. */
const challengeType = 'challenge+jwt';

/** The claims of a challenge. A new epoch of the user, such as after a new password, makes the challenge invalid. */
interface Challenge {
  id: number;
  home: AccountId;
  epoch: number;
  expiresAt: Date;
}

/** The `typ` header of a proof token: a single-use proof of the user's identity. */
const proofType = 'step-up+jwt';

/** The claims of a proof token, which is valid once, in one session, for one purpose and one record. */
export interface ProofToken {
  /** The random id of the token. */
  id: string;
  sessionId: string;
  purpose: string;
  /** See `subjectDigest`. */
  subject: string;
  expiresAt: Date;
}
/** The `typ` header of the challenge of a login that begins with a passkey. The challenge names no user. */
const passkeyChallengeType = 'passkey-challenge+jwt';

interface NewToken extends SessionClaims {
  /** If true, the token contains `home` encrypted. The claim is named `sealed`. */
  hidesHome: boolean;
}

/** The standard claims of a token that the service signs, and its `typ` header. */
interface Signed {
  typ: string;
  subject: string;
  expiresAt: Date;
}

/** Signs a token with HS256 and the current key. `claimsOf` returns the other claims, with the key that encrypts `home`. */
async function sign(
  { typ, subject, expiresAt }: Signed,
  claimsOf: (homeKey: Uint8Array) => JWTPayload,
  now: Date,
): Promise<string> {
  const ring = await keyring();
  const key = ring.key(ring.current, 'session-token');
  const homeKey = ring.key(ring.current, 'session-home');
  if (!key || !homeKey) throw new Error('The keyring has no current key.');
  return new SignJWT(claimsOf(homeKey))
    .setProtectedHeader({ alg: 'HS256', typ, kid: ring.current })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(Math.floor(now.getTime() / 1000))
    .setExpirationTime(Math.floor(expiresAt.getTime() / 1000))
    .sign(key);
}

/** Signs a session token. */
export function signToken(claims: NewToken, now: Date): Promise<string> {
  const { kind, id, home, hidesHome, sessionId: sid, expiresAt, impersonator, account } = claims;
  return sign(
    { typ: type, subject: `${kind}:${id}`, expiresAt },
    (homeKey) => {
      const homeClaim = (of: AccountId) => (hidesHome ? { sealed: sealHome(of, homeKey) } : { home: of });
      const act = impersonator && {
        sub: `user:${impersonator.id}`,
        ...homeClaim(impersonator.home),
        sid: impersonator.sessionId,
        account: impersonator.account,
      };
      return { sid, ...homeClaim(home), ...(act && { act }), ...(account && { account }) };
    },
    now,
  );
}

/**
 * Verifies the signature and the standard claims of a token. Returns the claims, and the key that decrypts `home`. Returns
 * undefined if the algorithm, type, issuer, audience or key is wrong, if a claim is missing, or if the token has expired.
 */
async function verify(
  token: string,
  options: { typ: string; requiredClaims: string[]; clockTolerance?: number },
  now: Date,
): Promise<{ payload: JWTPayload; homeKey: Uint8Array | undefined } | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keyFor, {
      algorithms: ['HS256'],
      issuer,
      audience,
      currentDate: now,
      ...options,
    });
    const { kid = '' } = protectedHeader;
    return { payload, homeKey: (await keyring(kid)).key(kid, 'session-home') };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/**
 * The verified tokens of each keyring. A keyring is read again after five minutes, and the new keyring has no verified
 * tokens. Therefore the times of the two caches do not add up, and a removed key is accepted for at most five minutes.
 */
const verifiedWith = new WeakMap<Keyring, Map<string, { claims: SessionClaims; until: number }>>();
const mostVerified = 1000;

/**
 * Verifies a session token. Returns undefined if it is not valid, or if it expired more than 30 s ago. Permissions are read
 * from the table on every request.
 */
export async function verifyToken(token: string, now: Date): Promise<SessionClaims | undefined> {
  const ring = await keyring();
  const verified = verifiedWith.get(ring) ?? new Map();
  verifiedWith.set(ring, verified);
  const known = verified.get(token);
  if (known && now.getTime() < known.until) return known.claims;
  const requiredClaims = ['exp', 'iat', 'sub', 'sid'];
  const valid = await verify(token, { typ: type, requiredClaims, clockTolerance: toleranceSeconds }, now);
  if (!valid) return undefined;
  const { payload, homeKey } = valid;
  const [, kind, id] = /^(user|key):(\d{1,16})$/.exec(payload.sub ?? '') ?? [];
  const home = homeIn({ home: payload.home, sealed: payload.sealed }, homeKey);
  const impersonator = payload.act === undefined ? undefined : impersonatorIn(payload.act, homeKey);
  const account = payload.account === undefined ? undefined : asAccountId(textOf(payload.account));
  if (
    !kind ||
    !home ||
    typeof payload.sid !== 'string' ||
    !sessionIdForm.test(payload.sid) ||
    (payload.iat ?? 0) * 1000 > now.getTime() + 30_000 ||
    (payload.act !== undefined && (kind !== 'user' || !impersonator)) ||
    (payload.account !== undefined && (kind !== 'user' || !account))
  )
    return undefined;
  const claims: SessionClaims = {
    kind: kind as 'user' | 'key',
    id: Number(id),
    home,
    sessionId: payload.sid,
    expiresAt: new Date((payload.exp ?? 0) * 1000),
    ...(impersonator && { impersonator }),
    ...(account && { account }),
  };
  if (verified.size >= mostVerified) verified.clear();
  verified.set(token, { claims, until: claims.expiresAt.getTime() + toleranceSeconds * 1000 });
  return claims;
}

/** The account in which a user is stored, as a claim. Tokens that an account can read contain only `sealed`. */
interface HomeClaim {
  home?: unknown;
  sealed?: unknown;
}

function homeIn({ home, sealed }: HomeClaim, key: Uint8Array | undefined): AccountId | undefined {
  if (sealed === undefined) return asAccountId(textOf(home));
  return key && openHome(textOf(sealed), key);
}

/** Parses the claim `act`. Returns undefined if a part is missing or malformed. */
function impersonatorIn(act: unknown, homeKey: Uint8Array | undefined): Impersonator | undefined {
  if (typeof act !== 'object' || act === null) return undefined;
  const { sub, sid, account, ...stored }: HomeClaim & Partial<Record<'sub' | 'sid' | 'account', unknown>> =
    act;
  const [, id] = /^user:(\d{1,16})$/.exec(textOf(sub)) ?? [];
  const [ofUser, ofBoth] = [homeIn(stored, homeKey), asAccountId(textOf(account))];
  if (!id || !ofUser || !ofBoth || !sessionIdForm.test(textOf(sid))) return undefined;
  return { id: Number(id), home: ofUser, sessionId: textOf(sid), account: ofBoth };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Signs a challenge. It contains `home` encrypted, because an account may know the password. */
export const signChallenge = ({ id, home, epoch, expiresAt }: Challenge, now: Date): Promise<string> =>
  sign(
    { typ: challengeType, subject: `user:${id}`, expiresAt },
    (homeKey) => ({ epoch, sealed: sealHome(home, homeKey) }),
    now,
  );

/** Verifies a challenge. Returns undefined if it is not valid. */
export async function verifyChallenge(token: string, now: Date): Promise<Challenge | undefined> {
  const requiredClaims = ['exp', 'iat', 'sub', 'epoch', 'sealed'];
  const valid = await verify(token, { typ: challengeType, requiredClaims }, now);
  if (!valid) return undefined;
  const { sub = '', sealed, epoch, exp = 0 } = valid.payload;
  const [, id] = /^user:(\d{1,16})$/.exec(sub) ?? [];
  const home = homeIn({ sealed }, valid.homeKey);
  if (!id || !home || typeof epoch !== 'number') return undefined;
  return { id: Number(id), home, epoch, expiresAt: new Date(exp * 1000) };
}

/** Signs a proof token. */
export const signProof = (
  {
    userId,
    sessionId: sid,
    purpose,
    subject,
    expiresAt,
  }: { userId: number; sessionId: string; purpose: Purpose; subject: ProofSubject; expiresAt: Date },
  now: Date,
): Promise<string> =>
  sign(
    { typ: proofType, subject: `user:${userId}`, expiresAt },
    () => ({ sid, jti: randomBytes(16).toString('base64url'), purpose, record: subjectDigest(subject) }),
    now,
  );

/** Verifies a proof token. Returns undefined if it is not valid. Does not check whether it was used. */
export async function verifyProof(token: string, now: Date): Promise<ProofToken | undefined> {
  const requiredClaims = ['exp', 'iat', 'sub', 'sid', 'jti', 'purpose', 'record'];
  const valid = await verify(token, { typ: proofType, requiredClaims }, now);
  if (!valid) return undefined;
  const { jti, sid, purpose, record, exp = 0 } = valid.payload;
  return {
    id: textOf(jti),
    sessionId: textOf(sid),
    purpose: textOf(purpose),
    subject: textOf(record),
    expiresAt: new Date(exp * 1000),
  };
}

/** Signs a challenge without a person. The random `jti` makes it different from every other challenge. */
export const signPasskeyChallenge = (expiresAt: Date, now: Date): Promise<string> =>
  sign(
    { typ: passkeyChallengeType, subject: '', expiresAt },
    () => ({ jti: randomBytes(16).toString('base64url') }),
    now,
  );

/** Verifies a challenge without a person, and returns its expiry. Returns undefined if it is not valid. */
export async function verifyPasskeyChallenge(token: string, now: Date): Promise<Date | undefined> {
  const requiredClaims = ['exp', 'iat', 'jti'];
  const valid = await verify(token, { typ: passkeyChallengeType, requiredClaims }, now);
  return valid && new Date((valid.payload.exp ?? 0) * 1000);
}

/**
 * Prepares the instance for the first request: reads the keyring, and runs the code that verifies tokens so
 * that V8 compiles it. The code verifies a token that has a valid signature but an empty subject, so the token
 * is never accepted.
 */
export async function prewarmVerification(): Promise<void> {
  const ring = await keyring();
  const now = new Date();
  const seconds = Math.floor(now.getTime() / 1000);
  const claims = { iss: issuer, aud: audience, sub: '', sid: '', iat: seconds, exp: seconds };
  const signed = [{ alg: 'HS256', typ: type, kid: ring.current }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', ring.key(ring.current, 'session-token') ?? '').update(signed);
  await verifyToken(`${signed}.${signature.digest('base64url')}`, now);
}

/** Selects the key by `kid` only. A key inside the token's header is ignored. */
async function keyFor(header: { kid?: string }): Promise<Uint8Array> {
  const key =
    header.kid === undefined ? undefined : (await keyring(header.kid)).key(header.kid, 'session-token');
  if (!key) throw new errors.JWTInvalid('unknown kid');
  return key;
}
