import { invalid } from '../../errors.ts';

/** How far back a recovery goes, in milliseconds. */
const furthest = 30 * 86_400_000;

/** Validates the span of a recovery. Throws `invalid_input`. */
export function readSpan(
  { since, until }: { since: string; until?: string },
  now: Date,
): { since: Date; until: Date } {
  const [from, to] = [new Date(since), until === undefined ? now : new Date(until)];
  if (from.getTime() < now.getTime() - furthest) throw invalid('since', 'must be at most 30 days ago');
  if (from > now) throw invalid('since', 'must not be in the future');
  if (to < from) throw invalid('until', 'must not be before since');
  return { since: from, until: to };
}
