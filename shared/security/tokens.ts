import { errors, jwtVerify, SignJWT } from 'jose';
import type { AccountId } from '../id/account-id.ts';
import { asAccountId } from '../id/account-id.ts';
import { keyring } from './keyring.ts';

const issuer = 'merchant-ops';
const audience = 'merchant-ops-api';
/** The `typ` of RFC 8725, 3.11: a token of another kind is never taken for a session. */
const type = 'session+jwt';
const toleranceSeconds = 30;

/** 16 random bytes, as a session is named; anything else would name no session, or no key of the table. */
const sessionIdForm = /^[\w-]{22}$/;

/** What a session token says: who and where, never what it may do. */
interface SessionClaims {
  kind: 'user' | 'key';
  id: number;
  /** The user's home account, or the key's account. */
  home: AccountId;
  sessionId: string;
  expiresAt: Date;
}

/** Signs a session token: HS256 under the current key, named by `kid`. */
export async function signToken(claims: SessionClaims, now: Date): Promise<string> {
  const ring = await keyring();
  const key = ring.key(ring.current, 'session-token');
  if (!key) throw new Error('The keyring lacks its current key');
  return new SignJWT({ sid: claims.sessionId, home: claims.home })
    .setProtectedHeader({ alg: 'HS256', typ: type, kid: ring.current })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(`${claims.kind}:${claims.id}`)
    .setIssuedAt(Math.floor(now.getTime() / 1000))
    .setExpirationTime(Math.floor(claims.expiresAt.getTime() / 1000))
    .sign(key);
}

/** Tokens verified before, by their text. For five minutes only, as long as a retired key may linger in the keyring. */
const verified = new Map<string, { claims: SessionClaims; until: number }>();
const mostVerified = 1000;
const trustedMilliseconds = 5 * 60_000;

/**
 * The claims of a session token, or undefined for anything that is not one: another algorithm, type, issuer,
 * audience or key, a missing claim, or one out of date by more than 30 s. What the session may do is read from
 * the table on every request.
 */
export async function verifyToken(token: string, now: Date): Promise<SessionClaims | undefined> {
  const known = verified.get(token);
  if (known && now.getTime() < known.until) return known.claims;
  try {
    const { payload } = await jwtVerify(token, keyFor, {
      algorithms: ['HS256'],
      typ: type,
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub', 'sid'],
      clockTolerance: toleranceSeconds,
      currentDate: now,
    });
    const [, kind, id] = /^(user|key):(\d{1,16})$/.exec(payload.sub ?? '') ?? [];
    const home = typeof payload.home === 'string' ? asAccountId(payload.home) : undefined;
    if (
      !kind ||
      !home ||
      typeof payload.sid !== 'string' ||
      !sessionIdForm.test(payload.sid) ||
      (payload.iat ?? 0) * 1000 > now.getTime() + 30_000
    )
      return undefined;
    const claims: SessionClaims = {
      kind: kind as 'user' | 'key',
      id: Number(id),
      home,
      sessionId: payload.sid,
      expiresAt: new Date((payload.exp ?? 0) * 1000),
    };
    if (verified.size >= mostVerified) verified.clear();
    const expiry = claims.expiresAt.getTime() + toleranceSeconds * 1000;
    verified.set(token, { claims, until: Math.min(expiry, now.getTime() + trustedMilliseconds) });
    return claims;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The key is chosen by `kid` alone; a key inside the token's header is never looked at. */
async function keyFor(header: { kid?: string }): Promise<Uint8Array> {
  const key =
    header.kid === undefined ? undefined : (await keyring(header.kid)).key(header.kid, 'session-token');
  if (!key) throw new errors.JWTInvalid('unknown kid');
  return key;
}
