import { randomBytes } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { sessionKey } from '../../security/keys.ts';
import {
  type ActiveImpersonation,
  type AuthenticatedPrincipal,
  type FactorUse,
  principalKeyOf,
  principalSubject,
  type SignedIn,
} from '../../security/principal.ts';
import { type Impersonator, signToken } from '../../security/tokens.ts';
import { asSeconds } from '../../table/item.ts';
import { deleteItem, putIfAbsent, setIfEquals, setIfPresent, type Write } from '../../table/operations.ts';

/** A stored session. A session ends by logout, expiry or a new epoch. */
export interface StoredSession {
  id: string;
  /** `user:<id>` or `key:<id>`. */
  principal: string;
  /** The holder's epoch when the session began. */
  epoch: number;
  createdAt: string;
  expiresAt: string;
  /** The factor that the user has proved. Null if the user has removed it. */
  factor?: FactorUse | null;
  /** When the user last proved the identity. If absent, the login is the last proof. Null if there is none. */
  provedAt?: string | null;
  /** The accounts in which the session has begun impersonations. */
  impersonates?: AccountId[];
  /** Present only if an administrator acts as the user. */
  impersonation?: Pick<ActiveImpersonation, 'id' | 'write'>;
  /** The only account of a session by single sign-on. */
  account?: AccountId;
}

const lifetimeMilliseconds = 12 * 3600 * 1000;

interface SessionHolder {
  kind: 'user' | 'key';
  id: number;
  home: AccountId;
  epoch: number;
  factor?: FactorUse;
  /** If true, an account can read the token, which then contains `home` encrypted. */
  hidesHome?: boolean;
  /** The expiry of the API key or the impersonation, if any. The session expires no later. */
  endsAt?: string;
  /** The administrator who acts as the user. */
  impersonator?: Impersonator;
  impersonation?: StoredSession['impersonation'];
  /** The only account of a session by single sign-on. */
  account?: AccountId;
  /** As in a stored session. */
  provedAt?: string | null;
}

/**
 * Creates a session of 12 hours, or until `endsAt` if it is earlier. Returns its token, and the write that makes the token
 * valid.
 */
export async function openSession(
  holder: SessionHolder,
  now: Date,
): Promise<{ id: string; token: string; expiresAt: Date; writes: Write[] }> {
  const latest = now.getTime() + lifetimeMilliseconds;
  const expiresAt = new Date(Math.min(latest, holder.endsAt ? Date.parse(holder.endsAt) : latest));
  const sessionId = randomBytes(16).toString('base64url');
  const {
    kind,
    id,
    home,
    epoch,
    factor,
    impersonator,
    impersonation,
    account,
    hidesHome = false,
    provedAt,
  } = holder;
  const session: StoredSession = {
    id: sessionId,
    principal: principalKeyOf({ kind, id }),
    epoch,
    createdAt: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(factor && { factor }),
    ...(impersonation && { impersonation }),
    ...(account && { account }),
    ...(provedAt !== undefined && { provedAt }),
  };
  const item = {
    ...sessionKey(home, sessionId),
    type: 'session',
    ...session,
    expiresAtSeconds: asSeconds(expiresAt),
  };
  return {
    id: sessionId,
    expiresAt,
    token: await signToken({ kind, id, home, hidesHome, sessionId, expiresAt, impersonator, account }, now),
    writes: [putIfAbsent(item)],
  };
}

type SessionPrincipal = Pick<SignedIn, 'home' | 'sessionId'>;

/**
 * Records in the session of the request that it has begun an impersonation in an account, so that its logout finds the
 * impersonation. The write fails with `not_authenticated` if the session has ended.
 */
export const noteImpersonation = (
  { home, sessionId, impersonates = [] }: Pick<SignedIn, 'home' | 'sessionId' | 'impersonates'>,
  account: AccountId,
): Write[] =>
  sessionId === undefined || impersonates.includes(account)
    ? []
    : [
        {
          ...setIfPresent(sessionKey(home, sessionId), 'impersonates', [...impersonates, account]),
          otherwise: new ApiError('not_authenticated'),
        },
      ];

/** Renews the proof of the session. The write fails with `not_authenticated` if the session has ended. */
export const renewProof = ({ home, sessionId }: SessionPrincipal, now: Date): Write[] =>
  sessionId === undefined
    ? []
    : [
        {
          ...setIfPresent(sessionKey(home, sessionId), 'provedAt', now.toISOString()),
          otherwise: new ApiError('not_authenticated'),
        },
      ];

/** Ends the session of the request. Later requests with the same token return 401. */
export const closeSession = ({ home, sessionId }: SessionPrincipal): Write[] =>
  sessionId === undefined ? [] : [deleteItem(sessionKey(home, sessionId))];

/**
 * Moves the session of the request to the person's new epoch, so that this session stays valid. `factor` is the second factor
 * that the session has proved from now on; null if it has proved none. The write fails with `not_authenticated` if the session
 * has ended.
 */
export const keepSession = (
  { home, sessionId }: SessionPrincipal,
  { from, to, factor }: { from: number; to: number; factor?: FactorUse | null },
): Write[] =>
  sessionId === undefined
    ? []
    : [
        setIfEquals(
          sessionKey(home, sessionId),
          'epoch',
          from,
          to,
          new ApiError('not_authenticated'),
          factor === undefined ? undefined : ['factor', factor],
        ),
      ];

export const loggedOut = (principal: AuthenticatedPrincipal, sessions: 'one' | 'all'): EventDraft[] => [
  {
    kind: 'user_logged_out',
    account: principal.log,
    subject: principalSubject(principal),
    data: { sessions },
  },
];
