import type { Event } from '../../events/envelope.ts';
import { oneLine } from './plain-text.ts';

/** The maximum size of the data, in bytes of JSON. */
const maxBytes = 1024;
/** The maximum length of a text value, in characters. Longer texts are user input and are omitted. */
const longestValue = 80;

/**
 * Returns the data of a notification: event id, subject, actor, the names of changed fields and small values of the
 * event's data. The data has at most 1 KB and omits the values of changed fields. `moreFields` is the number of names
 * that do not fit.
 */
export function dataOf({ id, subject, actor, data }: Event): Record<string, unknown> {
  const { changes, ...values } = data as { changes?: object };
  const basic = { eventId: id, subject, actor };
  const small = Object.fromEntries(Object.entries(values).filter(([, value]) => isSmall(value)));
  const known = bytesOf({ ...small, ...basic }) <= maxBytes ? { ...small, ...basic } : basic;
  return changes
    ? { ...known, ...fitting(Object.keys(changes).map(oneLine), maxBytes - bytesOf(known)) }
    : known;
}

const isSmall = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= longestValue && oneLine(value) === value
    : value === null || typeof value === 'number' || typeof value === 'boolean';

/** Returns as many names as fit, and the number of the remaining names. */
function fitting(names: readonly string[], bytes: number): { changedFields: string[]; moreFields?: number } {
  let left = bytes - bytesOf({ changedFields: [], moreFields: names.length });
  const changedFields: string[] = [];
  for (const name of names) {
    left -= bytesOf(name) + 1;
    if (left < 0) break;
    changedFields.push(name);
  }
  const more = names.length - changedFields.length;
  return { changedFields, ...(more > 0 && { moreFields: more }) };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
