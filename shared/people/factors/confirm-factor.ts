import { ApiError, invalid } from '../../errors.ts';
import { requireOwnFactor, requireProvedUser } from '../../security/require-user.ts';
import type { Write } from '../../table/operations.ts';
import { revise } from '../../table/revise.ts';
import { endSessionsOf } from '../users/end-sessions-of.ts';
import type { StoredUser } from '../users/schema.ts';
import { users } from '../users/store.ts';
import { aboutFactor, type OwnRequest, readOwnFactors, type SessionAfter } from './change-factors.ts';
import { confirmedPasskey } from './passkeys.ts';
import { confirmedFactors, entered, factorToConfirm, newRecoveryCodes, replaceFactor } from './rules.ts';
import type { FactorProof, StoredFactor, StoredFactors, StoredPasskey, StoredTotp } from './schema.ts';
import { showFactor } from './show-factor.ts';
import { factors } from './store.ts';
import { stepsOf } from './totp.ts';
import { verifyNewPasskey } from './verify-passkey.ts';

/**
 * Confirms a factor: an authenticator app with its first code, or a passkey with the result of its creation. Throws
 * `code_wrong`, `passkey_rejected`, `not_found`, `mailbox_not_proved`, and the errors of `requireOwnFactor`. The first
 * factor creates the recovery codes, and ends every other session, because these sessions began without a factor.
 */
export async function confirmFactor(
  request: OwnRequest & { params: { factorId: number }; body: FactorProof },
) {
  const { principal, params, body, now } = request;
  const { user, stored } = await readOwnFactors(request);
  const factor = factorToConfirm(stored, params.factorId, now);
  requireProvedUser(principal);
  requireOwnFactor(principal, user);
  const at = now.toISOString();
  const confirmed = { ...(await proved(stored, factor, body, now)), confirmedAt: at, lastUsedAt: at };
  const isFirst = confirmedFactors(stored).length === 0;
  const codes = isFirst ? newRecoveryCodes() : undefined;
  const after = {
    ...replaceFactor(stored, confirmed),
    ...(codes && { recoveryCodes: codes.hashes }),
  };
  const change = {
    secondFactor: true as const,
    ...(factor.type === 'passkey' && { hasPasskey: true as const }),
  };
  const ended = isFirst
    ? await endSessionsOf(user, request, { change, kept: principal.sessionId })
    : changed(user, factor.type === 'passkey' && !user.hasPasskey ? revise(user, change, request) : user);
  const session: SessionAfter = {
    from: user.sessionEpoch,
    to: ended.after.sessionEpoch,
    // A recovery code still counts after an app is added, so that the session can remove a lost passkey.
    factor: factor.type === 'passkey' ? 'passkey' : (principal.factor ?? factor.type),
  };
  return {
    response: { factor: showFactor(confirmed), ...(codes && { recoveryCodes: codes.shown }) },
    writes: [...factors.replace(user, stored, after), ...ended.writes],
    events: aboutFactor(user, 'factor_added', confirmed),
    session,
  };
}

const changed = (user: StoredUser, after: StoredUser): { after: StoredUser; writes: Write[] } => ({
  after,
  writes: users.replace(user, after),
});

/** Returns a factor after its first proof. */
const proved = (stored: StoredFactors, factor: StoredFactor, body: FactorProof, now: Date) =>
  factor.type === 'totp' ? provedApp(factor, body, now) : provedPasskey(stored, factor, body);

async function provedApp(
  factor: StoredTotp,
  { code, credential }: FactorProof,
  now: Date,
): Promise<StoredTotp> {
  if (code === undefined || credential)
    throw invalid('code', 'must be sent, and nothing else, for an authenticator app');
  const lastStep = (await stepsOf([factor], entered(code), now)).get(factor.id);
  if (lastStep === undefined) throw new ApiError('code_wrong');
  return { ...factor, lastStep };
}

async function provedPasskey(
  stored: StoredFactors,
  factor: StoredPasskey,
  { code, credential }: FactorProof,
): Promise<StoredPasskey> {
  if (!credential || code !== undefined)
    throw invalid('credential', 'must be sent, and nothing else, for a passkey');
  return confirmedPasskey(stored, factor, await verifyNewPasskey(credential, factor.challenge ?? ''));
}
