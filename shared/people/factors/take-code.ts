import { ApiError, tooManyRequests } from '../../errors.ts';
import type { Event } from '../../events/envelope.ts';
import { commit } from '../../events/outbox.ts';
import type { FactorUse } from '../../security/principal.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { StoredUser } from '../users/schema.ts';
import { checkCode, confirmedApps, confirmedFactors, delayOf, entered } from './rules.ts';
import { factors } from './store.ts';
import { stepsOf } from './totp.ts';

/**
 * Checks a code of a person and stores the result: an accepted code is used up, and a wrong code is counted. The write fails
 * if another request has changed the factors, and the code is then checked again. So a code is accepted only once, and
 * parallel requests cannot exceed the limit of wrong codes. The wrong code that reaches the limit emits `limitReached`, so
 * that there is one event, and not one for each wrong code.
 *
 * Throws `code_wrong`, `too_many_requests` during a delay, and `challenge_invalid` if the person has no confirmed factor.
 */
export async function takeCode(
  person: Pick<StoredUser, 'home' | 'id'>,
  code: string,
  { now, deadline, limitReached }: { now: Date; deadline: number; limitReached: () => Event[] },
): Promise<FactorUse> {
  const sent = entered(code);
  for (;;) {
    const stored = await factors.of(person);
    if (confirmedFactors(stored).length === 0) throw new ApiError('challenge_invalid');
    const delay = delayOf(stored, now);
    if (delay > 0) throw tooManyRequests(delay);
    const { after, use, reachesLimit } = checkCode(
      stored,
      sent,
      await stepsOf(confirmedApps(stored), sent, now),
      now,
    );
    try {
      const events = reachesLimit ? limitReached() : [];
      await commit({ writes: factors.replace(person, stored, after), events, deadline });
    } catch (error) {
      if (error instanceof VersionConflict) continue;
      throw error;
    }
    if (!use) throw new ApiError('code_wrong');
    return use;
  }
}
