import { jwtVerify } from 'jose';
import { ApiError } from '../errors.ts';
import type { Effects, EventDraft } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import { identities } from '../people/identities/store.ts';
import { providerOf, signingAlgorithms } from './provider.ts';
import type { StoredSsoConnection } from './schema.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** The user or the session at the provider that a logout token names. */
interface NamedByToken {
  subject?: string;
  sid?: string;
}

/**
 * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0, 2.6): those of one session at the
 * provider, or all sessions of a user in this account. Sessions that are unknown or have ended are no error. Throws
 * `sign_on_rejected`, and `provider_unavailable` if the keys of the provider cannot be read.
 */
export async function logOutAtProvider(
  connection: StoredSsoConnection,
  token: string,
  now: Date,
): Promise<Effects> {
  const { accountId: account, issuer } = connection;
  const { subject: named, sid } = await readLogoutToken(connection, token, now);
  const subject = named ?? (sid && (await identities.subjectOf(account, issuer, sid, now)));
  const stored = subject ? await identities.find(account, { issuer, subject }) : undefined;
  if (!stored) return { writes: [], events: [] };
  const { ended, writes } = await identities.endSessions(account, stored, sid);
  return { writes, events: ended > 0 ? loggedOut(account, stored, sid ? 'one' : 'all') : [] };
}

const loggedOut = (
  account: AccountId,
  { userId: id, email }: { userId: number; email: string },
  sessions: 'one' | 'all',
): EventDraft[] => [
  {
    kind: 'user_logged_out',
    account,
    actor: { user: email, apiKey: null },
    subject: { type: 'user', id, label: email },
    data: { sessions },
  },
];

async function readLogoutToken(
  { issuer, clientId }: StoredSsoConnection,
  token: string,
  now: Date,
): Promise<NamedByToken> {
  const { keys } = await providerOf(issuer);
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    algorithms: signingAlgorithms,
    issuer,
    audience: clientId,
    requiredClaims: ['iat', 'jti', 'events'],
    maxTokenAge: '10 minutes',
    clockTolerance: 30,
    currentDate: now,
  }).catch((error) => {
    throw error instanceof ApiError ? error : rejected();
  });
  const { typ = '' } = protectedHeader;
  const { events, nonce, sub, sid } = payload;
  const isLogout = typeof events === 'object' && events !== null && logoutEvent in events;
  // An ID token has no such event, and a logout token has no nonce. `typ` may be absent in older providers.
  const hasType = /^(application\/)?(logout\+jwt|jwt)?$/i.test(typ);
  if (!isLogout || !hasType || nonce !== undefined) throw rejected();
  if (sub === undefined && typeof sid !== 'string') throw rejected();
  return { ...(sub !== undefined && { subject: sub }), ...(typeof sid === 'string' && { sid }) };
}

const rejected = () => new ApiError('sign_on_rejected', { message: 'The logout token is not valid.' });
