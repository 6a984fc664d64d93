import { invalid } from '../../errors.ts';

/** How far back a recovery goes, in milliseconds. */
const furthest = 30 * 86_400_000;

/** The span of a recovery. Throws `invalid_input` for one that begins over 30 days ago, in the future, or after its end. */
export function readSpan(
  { since, until }: { since: string; until?: string },
  now: Date,
): { since: Date; until: Date } {
  const [from, to] = [new Date(since), until === undefined ? now : new Date(until)];
  if (from.getTime() < now.getTime() - furthest) throw invalid('since', 'must lie at most 30 days back');
  if (from > now) throw invalid('since', 'must not lie in the future');
  if (to < from) throw invalid('until', 'must not lie before since');
  return { since: from, until: to };
}
