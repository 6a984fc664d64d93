import { createHash } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import { passwordMatches } from '../../security/passwords.ts';
import { countOf, incrementInWindow } from '../../table/counters.ts';
import { asSeconds } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import { getItems } from '../../table/read.ts';
import { loginFailuresAcrossAccountsKey } from './keys.ts';

const windowSeconds = 15 * 60;

/** Who tries from where. */
interface LoginAttempt {
  name: string;
  /** The address that the request came from. */
  source: string;
}

type AttemptKind = 'tries' | 'failures' | 'requests';

/**
 * What an attempt counts against: its name from its source, so that nobody can lock somebody else out, and its source
 * with whatever names, so that nobody tries one password on everybody.
 */
function limitsOf({ name, source }: LoginAttempt, counted: AttemptKind): { key: Key; most: number }[] {
  const network = networkOf(source);
  return [
    { key: keyOf(counted, name, network), most: 10 },
    { key: keyOf(counted, network), most: 100 },
  ];
}

const keyOf = (...parts: string[]): Key =>
  loginFailuresAcrossAccountsKey(createHash('sha256').update(parts.join('\n')).digest('base64url'));

/**
 * Whether the password is right. A try is counted before it is judged and given back when it was right, so that
 * even a thousand wrong tries at once are ten. Throws `too_many_requests` after ten failures in 15 minutes
 * for a name from a source, or a hundred from the source, and, for a second, whoever comes while so many tries are
 * being judged.
 */
export async function throttledPassword(
  password: string,
  stored: string | undefined,
  attempt: LoginAttempt,
  now: Date,
): Promise<boolean> {
  await checkFailures(attempt, now);
  const tries = await count(attempt, 'tries', 1, now);
  if (tries.beyond) {
    await count(attempt, 'tries', -1, now);
    throw tooMany(1);
  }
  const right = await passwordMatches(password, stored);
  await (right ? count(attempt, 'tries', -1, now) : countFailure(attempt, now));
  return right;
}

/** Throws `too_many_requests` where too many failures were counted and their 15 minutes are not over. */
export async function checkFailures(attempt: LoginAttempt, now: Date): Promise<void> {
  const limits = limitsOf(attempt, 'failures');
  const counters = await getItems(limits.map(({ key }) => key));
  const met = counters.filter((counter, index) => countOf(counter, now) >= (limits[index]?.most ?? 0));
  if (met.length > 0)
    throw tooMany(Math.max(...met.map((counter) => Number(counter?.expiresAtSeconds))) - asSeconds(now));
}

/** Counts a failure. The 15 minutes begin with the first. */
export async function countFailure(attempt: LoginAttempt, now: Date): Promise<void> {
  await count(attempt, 'failures', 1, now);
}

/**
 * Counts something that may be asked for ten times in 15 minutes, and from one source a hundred times; past that
 * throws `too_many_requests`.
 */
export async function countRequest(attempt: LoginAttempt, now: Date): Promise<void> {
  if ((await count(attempt, 'requests', 1, now)).beyond) throw tooMany(windowSeconds);
}

/** Each counter is an item of its own that one atomic update adds to: a crowd waits for nobody. */
async function count(
  attempt: LoginAttempt,
  counted: AttemptKind,
  amount: 1 | -1,
  now: Date,
): Promise<{ beyond: boolean }> {
  const beyond = await Promise.all(
    limitsOf(attempt, counted).map(
      async ({ key, most }) => (await incrementInWindow(key, amount, windowSeconds, now)) > most,
    ),
  );
  return { beyond: beyond.includes(true) };
}

const tooMany = (seconds: number): ApiError =>
  new ApiError('too_many_requests', { headers: { 'retry-after': String(Math.max(seconds, 1)) } });

/**
 * The network that an address stands for when failures are counted: an IPv4 address is its own; of an IPv6 address
 * it is the first 64 bits, because whoever has one has them all.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(8 - head.length - tail.length, 0) }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
