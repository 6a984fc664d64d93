import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { AccountId } from '../id/account-id.ts';
import { asAccountId } from '../id/account-id.ts';
import { type Keyring, keyring } from './keyring.ts';
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
}

/** The `typ` header of a challenge: the proof that a login had the right password. */
const challengeType = 'challenge+jwt';

/** The claims of a challenge. A new epoch of the user, such as after a new password, makes the challenge invalid. */
export interface Challenge {
  id: number;
  home: AccountId;
  epoch: number;
  expiresAt: Date;
}

interface NewToken extends SessionClaims {
  /** If true, the token contains `home` encrypted. The claim is named `sealed`. */
  hidesHome: boolean;
}

/** Signs a session token with HS256 and the current key. */
export async function signToken(claims: NewToken, now: Date): Promise<string> {
  const ring = await keyring();
  const key = ring.key(ring.current, 'session-token');
  const homeKey = ring.key(ring.current, 'session-home');
  if (!key || !homeKey) throw new Error('The keyring has no current key.');
  const { impersonator } = claims;
  const homeClaim = (home: AccountId) => (claims.hidesHome ? { sealed: sealHome(home, homeKey) } : { home });
  const act = impersonator && {
    sub: `user:${impersonator.id}`,
    ...homeClaim(impersonator.home),
    sid: impersonator.sessionId,
    account: impersonator.account,
  };
  return new SignJWT({ sid: claims.sessionId, ...homeClaim(claims.home), ...(act && { act }) })
    .setProtectedHeader({ alg: 'HS256', typ: type, kid: ring.current })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(`${claims.kind}:${claims.id}`)
    .setIssuedAt(Math.floor(now.getTime() / 1000))
    .setExpirationTime(Math.floor(claims.expiresAt.getTime() / 1000))
    .sign(key);
}

/**
 * The verified tokens of each keyring. A keyring is read again after five minutes, and the new keyring has no verified
 * tokens. Therefore the times of the two caches do not add up, and a removed key is accepted for at most five minutes.
 */
const verifiedWith = new WeakMap<Keyring, Map<string, { claims: SessionClaims; until: number }>>();
const mostVerified = 1000;

/**
 * Verifies a session token. Returns undefined if its algorithm, type, issuer, audience or key is wrong, if a claim is
 * missing, or if the token expired more than 30 s ago. Permissions are read from the table on every request.
 */
export async function verifyToken(token: string, now: Date): Promise<SessionClaims | undefined> {
  const ring = await keyring();
  const verified = verifiedWith.get(ring) ?? new Map();
  verifiedWith.set(ring, verified);
  const known = verified.get(token);
  if (known && now.getTime() < known.until) return known.claims;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keyFor, {
      algorithms: ['HS256'],
      typ: type,
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub', 'sid'],
      clockTolerance: toleranceSeconds,
      currentDate: now,
    });
    const [, kind, id] = /^(user|key):(\d{1,16})$/.exec(payload.sub ?? '') ?? [];
    const { kid = '' } = protectedHeader;
    const homeKey = (await keyring(kid)).key(kid, 'session-home');
    const home = homeIn({ home: payload.home, sealed: payload.sealed }, homeKey);
    const impersonator = payload.act === undefined ? undefined : impersonatorIn(payload.act, homeKey);
    if (
      !kind ||
      !home ||
      typeof payload.sid !== 'string' ||
      !sessionIdForm.test(payload.sid) ||
      (payload.iat ?? 0) * 1000 > now.getTime() + 30_000 ||
      (payload.act !== undefined && (kind !== 'user' || !impersonator))
    )
      return undefined;
    const claims: SessionClaims = {
      kind: kind as 'user' | 'key',
      id: Number(id),
      home,
      sessionId: payload.sid,
      expiresAt: new Date((payload.exp ?? 0) * 1000),
      ...(impersonator && { impersonator }),
    };
    if (verified.size >= mostVerified) verified.clear();
    verified.set(token, { claims, until: claims.expiresAt.getTime() + toleranceSeconds * 1000 });
    return claims;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
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
export async function signChallenge({ id, home, epoch, expiresAt }: Challenge, now: Date): Promise<string> {
  const ring = await keyring();
  const key = ring.key(ring.current, 'session-token');
  const homeKey = ring.key(ring.current, 'session-home');
  if (!key || !homeKey) throw new Error('The keyring has no current key.');
  return new SignJWT({ epoch, sealed: sealHome(home, homeKey) })
    .setProtectedHeader({ alg: 'HS256', typ: challengeType, kid: ring.current })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(`user:${id}`)
    .setIssuedAt(Math.floor(now.getTime() / 1000))
    .setExpirationTime(Math.floor(expiresAt.getTime() / 1000))
    .sign(key);
}

/** Verifies a challenge. Returns undefined if it is forged, expired, or another kind of token. */
export async function verifyChallenge(token: string, now: Date): Promise<Challenge | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keyFor, {
      algorithms: ['HS256'],
      typ: challengeType,
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub', 'epoch'],
      currentDate: now,
    });
    const [, id] = /^user:(\d{1,16})$/.exec(payload.sub ?? '') ?? [];
    const { kid = '' } = protectedHeader;
    const home = homeIn({ sealed: payload.sealed }, (await keyring(kid)).key(kid, 'session-home'));
    const { epoch, exp = 0 } = payload;
    if (!id || !home || typeof epoch !== 'number') return undefined;
    return { id: Number(id), home, epoch, expiresAt: new Date(exp * 1000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
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
