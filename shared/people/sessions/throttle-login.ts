import { busy, tooManyRequests } from '../../errors.ts';
import { loginFailuresAcrossAccountsPartition } from '../../security/keys.ts';
import { passwordMatches } from '../../security/passwords.ts';
import { deleteAll } from '../../table/batch-write.ts';
import { counterValue, incrementInWindow } from '../../table/counters.ts';
import { asSeconds } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import { getItems, queryItems } from '../../table/read.ts';
import { invitationMailsAcrossAccountsKey } from '../users/keys.ts';
import { mostInvitationsToAddress } from '../users/limit-invitations.ts';
import { loginFailuresAcrossAccountsKey, resetMailsAcrossAccountsKey } from './keys.ts';

const windowSeconds = 15 * 60;
const [mostByName, mostBySource] = [10, 100];
/** The reset mails to one address. An attacker may send requests from any number of networks. */
const [mostMails, mailWindowSeconds] = [5, 3600];

interface LoginAttempt {
  name: string;
  /** The IP address of the request. */
  source: string;
}

type AttemptKind = 'tries' | 'failures' | 'requests';

/** The limits per name and source, and per source. A limit per name alone would let anybody lock out other users. */
function limitsOf({ name, source }: LoginAttempt, counted: AttemptKind): { key: Key; most: number }[] {
  const network = networkOf(source);
  return [
    { key: loginFailuresAcrossAccountsKey(counted, { name, source: network }), most: mostByName },
    { key: loginFailuresAcrossAccountsKey(counted, { source: network }), most: mostBySource },
  ];
}

/**
 * Removes login limits by deleting their counters: the counters of a name for every source, or the counters of a source
 * for all names together. Returns the number of limits that had been reached. No event is written, because a login that
 * changes these counters writes no event either.
 */
export async function removeLimits(of: { name: string } | { source: string }, now: Date): Promise<number> {
  const [partition, most] =
    'name' in of
      ? [loginFailuresAcrossAccountsPartition(of.name), mostByName]
      : [loginFailuresAcrossAccountsPartition(networkOf(of.source)), mostBySource];
  const counters = await queryItems({ partition });
  const left = await deleteAll(counters);
  if (left.length > 0) throw busy();
  const ofMails = new Map(
    'name' in of
      ? [
          [resetMailsAcrossAccountsKey(of.name).sk, mostMails],
          [invitationMailsAcrossAccountsKey(of.name).sk, mostInvitationsToAddress],
        ]
      : [],
  );
  return counters.filter((counter) => counterValue(counter, now) >= (ofMails.get(counter.sk) ?? most)).length;
}

/**
 * Verifies a password. Counts the attempt before the check and subtracts it if the password is right, so that
 * concurrent attempts cannot exceed the limit. Throws `too_many_requests` after 10 failures of a name from a source,
 * or 100 failures from a source, in 15 minutes. Attempts that are still being checked count toward the same limits.
 */
export async function throttledPassword(
  password: string,
  stored: string | undefined,
  attempt: LoginAttempt,
  now: Date,
): Promise<boolean> {
  await checkFailures(attempt, now);
  if (await count(attempt, 'tries', 1, now)) {
    await count(attempt, 'tries', -1, now);
    throw tooManyRequests(1);
  }
  const right = await passwordMatches(password, stored);
  await (right ? count(attempt, 'tries', -1, now) : countFailure(attempt, now));
  return right;
}

/** Throws `too_many_requests` if the failures in the current 15 minutes have reached a limit. */
export async function checkFailures(attempt: LoginAttempt, now: Date): Promise<void> {
  const limits = limitsOf(attempt, 'failures');
  const counters = await getItems(limits.map(({ key }) => key));
  const exceeded = counters.filter(
    (counter, index) => counterValue(counter, now) >= (limits[index]?.most ?? 0),
  );
  if (exceeded.length > 0)
    throw tooManyRequests(
      Math.max(...exceeded.map((counter) => Number(counter?.expiresAtSeconds))) - asSeconds(now),
    );
}

/** Counts a failure. The 15 minutes start with the first failure. */
export async function countFailure(attempt: LoginAttempt, now: Date): Promise<void> {
  await count(attempt, 'failures', 1, now);
}

/**
 * Counts a reset request. Throws `too_many_requests` above 10 requests per name and source, or 100 per source, in 15 min.
 * Returns false above 5 requests per name in an hour. The caller must not show this, because a response that depends on
 * requests from other networks would show them to anybody.
 */
export async function takeResetRequest(attempt: LoginAttempt, now: Date): Promise<boolean> {
  if (await count(attempt, 'requests', 1, now)) throw tooManyRequests(windowSeconds);
  const key = resetMailsAcrossAccountsKey(attempt.name);
  return (await incrementInWindow(key, 1, mailWindowSeconds, now)) <= mostMails;
}

/**
 * Counts an attempt and reports whether a limit is exceeded. Changes each counter in a separate atomic write, so that
 * concurrent attempts do not conflict.
 */
async function count(
  attempt: LoginAttempt,
  counted: AttemptKind,
  amount: 1 | -1,
  now: Date,
): Promise<boolean> {
  const exceeded = await Promise.all(
    limitsOf(attempt, counted).map(
      async ({ key, most }) => (await incrementInWindow(key, amount, windowSeconds, now)) > most,
    ),
  );
  return exceeded.includes(true);
}

/** Returns an IPv4 address, or the /64 network of an IPv6 address, because one subscriber usually has a whole /64. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(8 - head.length - tail.length, 0) }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
