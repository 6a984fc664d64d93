const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Milliseconds from each attempt of a delivery to the next. */
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
 * By which share of itself a gap is shorter or longer at most, so that what failed together does not come together. A queue
 * delays by whole seconds, and the sweep comes each minute: with that an attempt still lies within 20% of its gap.
 */
const spread = 0.15;
/** So many milliseconds after it came about a delivery is given up. */
export const lifetime = 96 * hour;
/** So long an endpoint may ask to be left alone, in milliseconds. */
const longestPause = 24 * hour;

/** What an attempt brought: the status of a whole response, or why there was none. */
export interface AttemptOutcome {
  status?: number;
  error?: string;
  /** The header of that name. */
  retryAfter?: string;
}

/** What an outcome means. Gone: the endpoint wants no more. A pause is for all that goes to the endpoint. */
export type Meaning = { is: 'delivered' } | { is: 'gone' } | { is: 'failed'; pauseUntil?: Date };

/** Only a 2xx whose response came whole is a success: a redirect is not followed. */
export function meaningOf({ status, error, retryAfter }: AttemptOutcome, now: Date): Meaning {
  if (error !== undefined || status === undefined) return { is: 'failed' };
  if (status >= 200 && status < 300) return { is: 'delivered' };
  if (status === 410) return { is: 'gone' };
  if (status !== 429 && status < 500) return { is: 'failed' };
  return { is: 'failed', pauseUntil: pauseOf(retryAfter, now) };
}

/** Until when an endpoint wants to be left alone: RFC 9110, section 10.2.3, but a day at most. */
function pauseOf(retryAfter: string | undefined, now: Date): Date | undefined {
  if (retryAfter === undefined) return undefined;
  const text = retryAfter.trim();
  const until = /^\d+$/.test(text) ? now.getTime() + Number(text) * second : Date.parse(text);
  if (Number.isNaN(until) || until <= now.getTime()) return undefined;
  return new Date(Math.min(until, now.getTime() + longestPause));
}

/**
 * When a delivery is tried again after its attempt of that number, the first being 1; undefined: it is given up, after
 * the tenth or where it would be more than 96 hours old. `chance` is from 0 to 1.
 */
export function nextAttempt(
  { number, createdAt }: { number: number; createdAt: Date },
  now: Date,
  chance: number = Math.random(),
): Date | undefined {
  const gap = gaps[number - 1];
  if (gap === undefined) return undefined;
  const next = now.getTime() + Math.round(gap * (1 - spread + 2 * spread * chance));
  return next > createdAt.getTime() + lifetime ? undefined : new Date(next);
}
