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
 * even a thousand tries at once are ten. Past ten failures in 15 minutes refuses with `too_many_requests`.
 */
export async function throttledPassword(
  password: string,
  stored: string | undefined,
  attempt: Attempt,
  now: Date,
): Promise<boolean> {
  await refuseAfterFailures(attempt, now);
  const failures = await countFailure(attempt, 1, now);
  if (failures > mostFailures) throw tooMany(windowSeconds);
  const right = await passwordMatches(password, stored);
  if (right) await countFailure(attempt, -1, now);
  return right;
}

/** Refuses with `too_many_requests` where ten failures were counted and their 15 minutes are not over. */
export async function refuseAfterFailures(attempt: Attempt, now: Date): Promise<void> {
  const counter = await getItem(keyOf(attempt));
  if (countOf(counter, now) >= mostFailures)
    throw tooMany(Number(counter?.expiresAtSeconds) - asSeconds(now));
}

/** Counts a failure, or takes one back, and returns how many there are. The 15 minutes begin with the first. */
export const countFailure = (attempt: Attempt, amount: 1 | -1, now: Date): Promise<number> =>
  incrementInWindow(keyOf(attempt), amount, windowSeconds, now);

const keyOf = ({ name, source }: Attempt) =>
  loginFailuresAcrossAccountsKey(createHash('sha256').update(`${name}\n${source}`).digest('base64url'));

const tooMany = (seconds: number): Refusal =>
  new Refusal('too_many_requests', { headers: { 'retry-after': String(Math.max(seconds, 1)) } });
