import { createHash } from 'node:crypto';
import { passwordMatches } from '../auth/password.ts';
import { Refusal } from '../http/errors.ts';
import { countOf, incrementInWindow } from '../table/counter.ts';
import { asSeconds } from '../table/item.ts';
import { loginFailuresAcrossAccountsKey } from '../table/keys.ts';
import { getItem } from '../table/read.ts';

const mostFailures = 10;
const windowSeconds = 15 * 60;

/** Who tries from where; failures are counted for the pair, so that nobody can lock somebody else out. */
export interface Attempt {
  name: string;
  source: string;
}

/**
 * Whether the password is right. A try is counted before it is judged and given back when it was right, so that
 * even a thousand wrong tries at once are ten. Refuses with `too_many_requests` after ten failures in 15 minutes,
 * and, for a second, whoever comes while ten tries are being judged.
 */
export async function throttledPassword(
  password: string,
  stored: string | undefined,
  attempt: Attempt,
  now: Date,
): Promise<boolean> {
  await refuseAfterFailures(attempt, now);
  const tries = keyOf(attempt, 'tries');
  if ((await incrementInWindow(tries, 1, windowSeconds, now)) > mostFailures) {
    await incrementInWindow(tries, -1, windowSeconds, now);
    throw tooMany(1);
  }
  const right = await passwordMatches(password, stored);
  if (right) await incrementInWindow(tries, -1, windowSeconds, now);
  else await countFailure(attempt, now);
  return right;
}

/** Refuses with `too_many_requests` where ten failures were counted and their 15 minutes are not over. */
export async function refuseAfterFailures(attempt: Attempt, now: Date): Promise<void> {
  const counter = await getItem(keyOf(attempt, 'failures'));
  if (countOf(counter, now) >= mostFailures)
    throw tooMany(Number(counter?.expiresAtSeconds) - asSeconds(now));
}

/** Counts a failure and returns how many there are. The 15 minutes begin with the first. */
export const countFailure = (attempt: Attempt, now: Date): Promise<number> =>
  incrementInWindow(keyOf(attempt, 'failures'), 1, windowSeconds, now);

/** Counts something that may be asked for ten times in 15 minutes; past that refuses with `too_many_requests`. */
export async function countRequest(attempt: Attempt, now: Date): Promise<void> {
  if ((await countFailure(attempt, now)) > mostFailures) throw tooMany(windowSeconds);
}

const keyOf = ({ name, source }: Attempt, what: 'tries' | 'failures') =>
  loginFailuresAcrossAccountsKey(
    createHash('sha256').update(`${what}\n${name}\n${source}`).digest('base64url'),
  );

const tooMany = (seconds: number): Refusal =>
  new Refusal('too_many_requests', { headers: { 'retry-after': String(Math.max(seconds, 1)) } });
