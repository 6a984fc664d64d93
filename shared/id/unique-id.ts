import { crockford, crockfordNumber } from './crockford.ts';
import { asRecordId } from './mint.ts';

/** What a `uniqueId` begins with: a ticket's, a ticket type's, a ticket rotation's. */
export type UniquePrefix = 'tkt' | 'tty' | 'rot';

/** As many digits as the largest id has, so that texts of one kind sort as their ids do. */
const digits = 11;

/** The canonical `uniqueId` of a record: its id in lower-case Crockford base 32 behind the prefix of its kind. */
export const uniqueIdOf = (prefix: UniquePrefix, id: number): string =>
  `${prefix}_${crockford(id).toLowerCase().padStart(digits, '0')}`;

/**
 * The id that a `uniqueId` spells, in either case, padded or not. Undefined where it spells none: another prefix, a
 * digit that is none, no id or one past 2^53 − 1.
 */
export function readUniqueId(prefix: UniquePrefix, text: string): number | undefined {
  const match = /^([a-z]{3})_([0-9a-z]{1,11})$/i.exec(text);
  if (match?.[1]?.toLowerCase() !== prefix) return undefined;
  const id = crockfordNumber(match[2] ?? '');
  return id ? id : undefined;
}

/** The id of a record that a path, a body or a filter names: by plain decimal digits or by its `uniqueId`. */
export const asUniqueRecordId = (prefix: UniquePrefix, text: string): number | undefined =>
  asRecordId(text) ?? readUniqueId(prefix, text);

/** The canonical `uniqueId` of what a reference names, as references are stored; undefined where it names nothing. */
export function asUniqueId(prefix: UniquePrefix, text: string): string | undefined {
  const id = asUniqueRecordId(prefix, text);
  return id === undefined ? undefined : uniqueIdOf(prefix, id);
}
