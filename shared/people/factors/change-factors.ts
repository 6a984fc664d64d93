import { ApiError } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { SignedIn } from '../../security/principal.ts';
import { requireProvedUser, requireUser } from '../../security/require-user.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Write } from '../../table/operations.ts';
import type { Authored } from '../../table/revise.ts';
import { endSessionsOf } from '../users/end-sessions-of.ts';
import { logAccountOf } from '../users/rules.ts';
import type { StoredUser } from '../users/schema.ts';
import { users } from '../users/store.ts';
import {
  confirmedFactors,
  entered,
  factorToConfirm,
  newRecoveryCodes,
  noFactors,
  noSuchFactor,
  replaceFactor,
  withoutFactor,
} from './rules.ts';
import type { StoredFactor, StoredFactors } from './schema.ts';
import { showFactor } from './show-factor.ts';
import { factors } from './store.ts';
import { stepsOf } from './totp.ts';

interface OwnRequest extends Authored {
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

const aboutFactor = (user: StoredUser, happening: FactorHappening, { id, type, name }: StoredFactor) =>
  inLogOf(
    user,
    unnamedChange(logAccountOf(user), happening, { id }, { userId: user.id, email: user.email, type, name }),
  );

const aboutFactors = (user: StoredUser, happening: 'factor_reset' | 'recovery_codes_renewed') =>
  inLogOf(user, unnamedChange(logAccountOf(user), happening, user, { userId: user.id, email: user.email }));

/**
 * Confirms a factor with its first code. Throws `code_wrong`, `not_found` and `mailbox_not_proved`. The first factor
 * creates the recovery codes, and ends every other session, because these sessions began without a factor. `epoch` is the
 * person's epoch before and after, to which the caller moves the session of the request.
 */
export async function confirmFactor(
  request: OwnRequest & { params: { factorId: number }; body: { code: string } },
) {
  const { principal, params, body, now } = request;
  const { user, stored } = await readOwnFactors(request);
  const factor = factorToConfirm(stored, params.factorId, now);
  requireProvedUser(principal);
  const steps = await stepsOf([factor], entered(body.code), now);
  const lastStep = steps.get(factor.id);
  if (lastStep === undefined) throw new ApiError('code_wrong');
  const at = now.toISOString();
  const confirmed = { ...factor, confirmedAt: at, lastUsedAt: at, lastStep };
  const isFirst = confirmedFactors(stored).length === 0;
  const codes = isFirst ? newRecoveryCodes() : undefined;
  const after = {
    ...replaceFactor(stored, confirmed),
    ...(codes && { recoveryCodes: codes.hashes }),
  };
  const ended = isFirst
    ? await endSessionsOf(user, request, { change: { secondFactor: true }, kept: principal.sessionId })
    : { after: user, writes: [] };
  return {
    response: { factor: showFactor(confirmed), ...(codes && { recoveryCodes: codes.shown }) },
    writes: [...factors.replace(user, stored, after), ...ended.writes],
    events: aboutFactor(user, 'factor_added', confirmed),
    epoch: { from: user.sessionEpoch, to: ended.after.sessionEpoch },
  };
}

/**
 * Removes a factor. Throws `not_found`. The removal of the last confirmed factor ends every other session, because these
 * sessions have proved a factor that no longer exists. `epoch` is present only then.
 */
export async function removeFactor(request: OwnRequest & { params: { factorId: number } }) {
  const { user, stored } = await readOwnFactors(request);
  const after = withoutFactor(stored, request.params.factorId);
  const known = confirmedFactors(stored);
  const removed = known.filter(({ id }) => id === request.params.factorId);
  const isLast = removed.length > 0 && known.length === 1;
  const ended = isLast ? await endSessionsOf(user, request, { change: { secondFactor: null } }) : undefined;
  return {
    response: { message: 'The factor is removed.' },
    writes: [...factors.replace(user, stored, after), ...(ended?.writes ?? [])],
    events: removed.flatMap((factor) => aboutFactor(user, 'factor_removed', factor)),
    ...(ended && { epoch: { from: user.sessionEpoch, to: ended.after.sessionEpoch } }),
  };
}

/** Replaces the recovery codes. Throws `not_found` if the caller has no confirmed factor. */
export async function renewRecoveryCodes(request: OwnRequest) {
  const { user, stored } = await readOwnFactors(request);
  if (confirmedFactors(stored).length === 0) throw noSuchFactor('You have no confirmed factor.');
  const { shown, hashes } = newRecoveryCodes();
  return {
    response: { recoveryCodes: shown },
    writes: factors.replace(user, stored, { ...stored, recoveryCodes: hashes }),
    events: aboutFactors(user, 'recovery_codes_renewed'),
  };
}

/** Removes all factors of a person and ends the person's sessions. */
export async function resetFactors(
  user: StoredUser,
  author: Authored,
): Promise<{ writes: Write[]; events: EventDraft[] }> {
  const stored = await factors.of(user);
  const ended = await endSessionsOf(user, author, { change: { secondFactor: null } });
  return {
    writes: [...(stored.version > 0 ? factors.replace(user, stored, noFactors) : []), ...ended.writes],
    events: aboutFactors(user, 'factor_reset'),
  };
}
