import { ApiError, tooManyRequests } from '../../errors.ts';
import type { FactorUse } from '../../security/principal.ts';
import { transact, VersionConflict } from '../../table/transact.ts';
import type { StoredUser } from '../users/schema.ts';
import { checkCode, confirmedFactors, delayOf, entered } from './rules.ts';
import type { StoredFactors } from './schema.ts';
import { factors } from './store.ts';
import { codeFinder } from './totp.ts';

/**
 * Checks a code of a person and stores the result: an accepted code is used up, and a wrong code is counted. The write has
 * the version as its condition, so of several requests with one code, one is accepted, and requests at the same time
 * cannot exceed the limit of wrong codes. Throws `code_wrong`, `too_many_requests`
 * during a delay, and `challenge_invalid` if the person has no confirmed factor any more.
 */
export async function takeCode(
  person: Pick<StoredUser, 'home' | 'id'>,
  code: string,
  { now, deadline }: { now: Date; deadline: number },
): Promise<{ use: FactorUse; after: StoredFactors }> {
  const sent = entered(code);
  for (;;) {
    const stored = await factors.of(person);
    const known = confirmedFactors(stored);
    if (known.length === 0) throw new ApiError('challenge_invalid');
    const delay = delayOf(stored, now);
    if (delay > 0) throw tooManyRequests(delay);
    const check = checkCode(stored, sent, await codeFinder(known, sent, now), now);
    try {
      await transact(factors.replace(person, stored, check.after), deadline);
    } catch (error) {
      if (error instanceof VersionConflict) continue;
      throw error;
    }
    if (check.result === 'wrong') throw new ApiError('code_wrong');
    return { use: check.use, after: { ...check.after, version: stored.version + 1 } };
  }
}
