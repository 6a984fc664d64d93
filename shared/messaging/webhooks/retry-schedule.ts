const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** The delays between the attempts of a delivery, in milliseconds. */
export const gaps = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/**
 * A delay varies at random by up to this fraction, so that deliveries that failed together are not retried together.
 * Short delays are rounded up to whole seconds. Long delays end at the sweep, which runs once a minute. Including this
 * rounding, a delay deviates by at most 20%.
 */
const jitter = 0.15;
/** The age at which a delivery fails, in milliseconds. */
export const lifetime = 96 * hour;
/** The longest pause that an endpoint may request, in milliseconds. */
const longestPause = 24 * hour;

/** The outcome of an attempt: the status of the response, if one was received, and its header Retry-After. */
export interface AttemptOutcome {
  status?: number;
  retryAfter?: string;
}

/** The meaning of an outcome. `gone`: the endpoint responded with 410. `pauseUntil` applies to the whole webhook. */
export type Meaning = { is: 'delivered' } | { is: 'gone' } | { is: 'failed'; pauseUntil?: Date };

/** Only a 2xx status is a success. The body of the response has no effect. Redirects are not followed. */
export function meaningOf({ status, retryAfter }: AttemptOutcome, now: Date): Meaning {
  if (status === undefined) return { is: 'failed' };
  if (status >= 200 && status < 300) return { is: 'delivered' };
  if (status === 410) return { is: 'gone' };
  if (status !== 429 && status < 500) return { is: 'failed' };
  return { is: 'failed', pauseUntil: pauseOf(retryAfter, now) };
}

/** Returns the end of the requested pause (RFC 9110, section 10.2.3), at most a day from now. */
function pauseOf(retryAfter: string | undefined, now: Date): Date | undefined {
  if (retryAfter === undefined) return undefined;
  const text = retryAfter.trim();
  const until = /^\d+$/.test(text) ? now.getTime() + Number(text) * second : Date.parse(text);
  if (Number.isNaN(until) || until <= now.getTime()) return undefined;
  return new Date(Math.min(until, now.getTime() + longestPause));
}

/**
 * Returns the time of the retry after attempt `number` (counted from 1). Returns undefined after the tenth attempt, or
 * if the delivery would then be older than 96 hours. `chance` is a random number from 0 to 1.
 */
export function nextAttempt(
  { number, createdAt }: { number: number; createdAt: Date },
  now: Date,
  chance: number = Math.random(),
): Date | undefined {
  const gap = gaps[number - 1];
  if (gap === undefined) return undefined;
  const next = now.getTime() + Math.round(gap * (1 - jitter + 2 * jitter * chance));
  return next > createdAt.getTime() + lifetime ? undefined : new Date(next);
}
