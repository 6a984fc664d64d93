import type { Validate } from '../endpoints/validation.ts';
import { invalid } from '../errors.ts';
import { dayIn, dayLength, daysAfter, startOfDay } from '../instant.ts';
import type { SavedQuery } from './schema.ts';

/** The caller of a view and the time of the request, by which a saved query is resolved. */
interface QueryContext {
  teamId: number | undefined;
  timezone: string;
  now: Date;
}

const lengths: Readonly<Record<string, number>> = { h: 3_600_000, d: dayLength, w: 7 * dayLength };

/** The filters that accept `myTeam`. */
const teamFilters = ['teamId', 'assignedTeamId'];

/**
 * Replaces `myTeam` and relative times in a saved query. The list itself replaces `me`. Only parameters that the list reads
 * as date-times can contain relative times. Throws `invalid_input` if the query contains `myTeam` and the caller has no
 * team.
 */
export function resolveQuery(
  query: SavedQuery,
  { coercion }: Pick<Validate, 'coercion'>,
  context: QueryContext,
): Record<string, unknown> {
  const fields = typeof coercion === 'object' && 'fields' in coercion ? coercion.fields : {};
  const resolved = (name: string, value: unknown): unknown => {
    if (fields[name] === 'instant') return instantFrom(value, context) ?? value;
    if (!teamFilters.includes(name)) return value;
    const values = [value].flat();
    if (values.includes('myTeam') && context.teamId === undefined)
      throw invalid(name, 'must not be `myTeam`, because the caller has no team');
    return values.map((one) => (one === 'myTeam' ? context.teamId : one));
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, resolved(name, value)]));
}

/** Returns the instant of a relative time, such as `-7d` or `today+1d`. Undefined for other values. */
function instantFrom(value: unknown, { timezone, now }: QueryContext): string | undefined {
  const text = String(value);
  const [, amount, unit = ''] = /^([+-]\d{1,4})([hdw])$/.exec(text) ?? [];
  if (amount) return new Date(now.getTime() + Number(amount) * (lengths[unit] ?? 0)).toISOString();
  const day = /^today(?:([+-]\d{1,4})d)?$/.exec(text);
  if (!day) return undefined;
  return startOfDay(daysAfter(dayIn(timezone, now), Number(day[1] ?? 0)), timezone).toISOString();
}
