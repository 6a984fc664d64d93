import type { Event } from '../../events/envelope.ts';
import { oneLine } from './plain-text.ts';

/** In bytes of JSON. */
const largest = 1024;
/** In characters: longer texts are what somebody wrote, and not a value of the kind. */
const longestValue = 80;

/**
 * What a notification carries of its event beside the text: whose it is, what it is about, the names of the fields that
 * changed and the small values of its kind; at most 1 KB, and never what is in a field. Names that do not fit are counted.
 */
export function dataOf({ id, subject, actor, data }: Event): Record<string, unknown> {
  const { changes, ...values } = data as { changes?: object };
  const of = { eventId: id, subject, actor };
  const small = Object.fromEntries(Object.entries(values).filter(([, value]) => isSmall(value)));
  const known = bytesOf({ ...small, ...of }) <= largest ? { ...small, ...of } : of;
  return changes
    ? { ...known, ...fitting(Object.keys(changes).map(oneLine), largest - bytesOf(known)) }
    : known;
}

const isSmall = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= longestValue && oneLine(value) === value
    : value === null || typeof value === 'number' || typeof value === 'boolean';

/** As many of the names as fit, and how many more there are. */
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
