import { ApiError, tooManyRequests } from '../../errors.ts';
import type { FactorUse } from '../../security/principal.ts';
import { transact, VersionConflict } from '../../table/transact.ts';
import type { StoredUser } from '../users/schema.ts';
import { checkCode, confirmedFactors, delayOf, entered } from './rules.ts';
import { factors } from './store.ts';
import { stepsOf } from './totp.ts';

/**
 * Checks a code of a person and stores the result: an accepted code is used up, and a wrong code is counted. The write fails
 * if another request has changed the factors, and the code is then checked again. So a code is accepted only once, and
 * parallel requests cannot exceed the limit of wrong codes.
 *
 * Throws `code_wrong`, `too_many_requests` during a delay, and `challenge_invalid` if the person has no confirmed factor.
 */
export async function takeCode(
  person: Pick<StoredUser, 'home' | 'id'>,
  code: string,
  { now, deadline }: { now: Date; deadline: number },
): Promise<FactorUse> {
  const sent = entered(code);
  for (;;) {
    const stored = await factors.of(person);
    const known = confirmedFactors(stored);
    if (known.length === 0) throw new ApiError('challenge_invalid');
    const delay = delayOf(stored, now);
    if (delay > 0) throw tooManyRequests(delay);
    const { after, use } = checkCode(stored, sent, await stepsOf(known, sent, now), now);
    try {
      await transact(factors.replace(person, stored, after), deadline);
    } catch (error) {
      if (error instanceof VersionConflict) continue;
      throw error;
    }
    if (!use) throw new ApiError('code_wrong');
    return use;
  }
}
