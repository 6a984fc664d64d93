import type { Effects, EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { FactorUse, SignedIn } from '../../security/principal.ts';
import { requireOwnFactor, requireUser } from '../../security/require-user.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Authored } from '../../table/revise.ts';
import { endSessionsOf } from '../users/end-sessions-of.ts';
import { logAccountOf } from '../users/rules.ts';
import type { StoredUser } from '../users/schema.ts';
import { users } from '../users/store.ts';
import { confirmedPasskeys } from './passkeys.ts';
import {
  confirmedFactors,
  newRecoveryCodes,
  noFactors,
  noSuchFactor,
  provedAfter,
  withoutFactor,
} from './rules.ts';
import type { StoredFactor, StoredFactors } from './schema.ts';
import { factors } from './store.ts';

export interface OwnRequest extends Authored {
  principal: SignedIn;
}

/** Reads the caller with the factors. Throws `users_only` for an API key. */
export async function readOwnFactors({
  principal,
}: Pick<OwnRequest, 'principal'>): Promise<{ user: StoredUser; stored: StoredFactors }> {
  const person = requireUser(principal);
  const [user, stored] = await inParallel([users.self(person), factors.of(person)]);
  return { user, stored };
}

type FactorHappening = 'factor_added' | 'factor_removed';

const inLogOf = (user: StoredUser, events: EventDraft[]): EventDraft[] =>
  events.map((event) => ({ ...event, account: logAccountOf(user) }));

export const aboutFactor = (user: StoredUser, happening: FactorHappening, { id, type, name }: StoredFactor) =>
  inLogOf(
    user,
    unnamedChange(logAccountOf(user), happening, { id }, { userId: user.id, email: user.email, type, name }),
  );

export const aboutFactors = (
  user: StoredUser,
  happening: 'factor_reset' | 'factor_codes_rejected' | 'recovery_codes_renewed',
) =>
  inLogOf(user, unnamedChange(logAccountOf(user), happening, user, { userId: user.id, email: user.email }));

/** The epochs of the person before and after, and the factor that the session of the request has proved from now on. */
export interface SessionAfter {
  from: number;
  to: number;
  factor: FactorUse | null;
}

/**
 * Removes a factor. Throws `not_found`, and the errors of `requireOwnFactor`. The removal of a confirmed factor ends every
 * other session, because somebody else may have proved the factor in them. `session` is present only then.
 */
export async function removeFactor(request: OwnRequest & { params: { factorId: number } }) {
  const { principal, params } = request;
  const { user, stored } = await readOwnFactors(request);
  requireOwnFactor(principal, user);
  const after = withoutFactor(stored, params.factorId);
  const removed = confirmedFactors(stored).filter(({ id }) => id === params.factorId);
  const change = {
    ...(confirmedFactors(after).length === 0 && { secondFactor: null }),
    ...(confirmedPasskeys(after).length === 0 && { hasPasskey: null }),
  };
  const ended =
    removed.length > 0
      ? await endSessionsOf(user, request, { change, kept: principal.sessionId })
      : undefined;
  const session: SessionAfter | undefined = ended && {
    from: user.sessionEpoch,
    to: ended.after.sessionEpoch,
    factor: provedAfter(after, principal.factor),
  };
  return {
    response: { message: 'The factor is removed.' },
    writes: [...factors.replace(user, stored, after), ...(ended?.writes ?? [])],
    events: removed.flatMap((factor) => aboutFactor(user, 'factor_removed', factor)),
    session,
  };
}

/**
 * Replaces the recovery codes. Throws `not_found` if the caller has no confirmed factor, and the errors of
 * `requireOwnFactor`.
 */
export async function renewRecoveryCodes(request: OwnRequest) {
  const { user, stored } = await readOwnFactors(request);
  if (confirmedFactors(stored).length === 0) throw noSuchFactor('You have no confirmed factor.');
  requireOwnFactor(request.principal, user);
  const { shown, hashes } = newRecoveryCodes();
  return {
    response: { recoveryCodes: shown },
    writes: factors.replace(user, stored, { ...stored, recoveryCodes: hashes }),
    events: aboutFactors(user, 'recovery_codes_renewed'),
  };
}

/** Removes all factors of a person and ends the person's sessions. */
export async function resetFactors(user: StoredUser, author: Authored): Promise<Effects> {
  const stored = await factors.of(user);
  const ended = await endSessionsOf(user, author, { change: { secondFactor: null, hasPasskey: null } });
  return {
    writes: [...(stored.version > 0 ? factors.replace(user, stored, noFactors) : []), ...ended.writes],
    events: aboutFactors(user, 'factor_reset'),
  };
}
