import { crockford, crockfordNumber } from './crockford.ts';
import { asRecordId } from './mint.ts';

/** The prefix of a `uniqueId`, which identifies the record type: ticket, ticket type or ticket rotation. */
export type UniquePrefix = 'tkt' | 'tty' | 'rot';

/**
 * The number of digits of the largest id. Shorter ids are padded, so that uniqueIds have the same sort order as ids.
 */
const digits = 11;

/** The canonical `uniqueId`: the prefix and the id in lower-case Crockford base 32. */
export const uniqueIdOf = (prefix: UniquePrefix, id: number): string =>
  `${prefix}_${crockford(id).toLowerCase().padStart(digits, '0')}`;

/** Parses a `uniqueId` with this prefix, in any case, with or without padding. Returns undefined for other texts. */
export function readUniqueId(prefix: UniquePrefix, text: string): number | undefined {
  const match = /^([a-z]{3})_([0-9a-z]{1,11})$/i.exec(text);
  if (match?.[1]?.toLowerCase() !== prefix) return undefined;
  const id = crockfordNumber(match[2] ?? '');
  return id ? id : undefined;
}

/** Parses a reference to a record: decimal digits or a `uniqueId`. */
export const asUniqueRecordId = (prefix: UniquePrefix, text: string): number | undefined =>
  asRecordId(text) ?? readUniqueId(prefix, text);

/** Returns the canonical `uniqueId` of a reference, for storage. Returns undefined for an invalid reference. */
export function asUniqueId(prefix: UniquePrefix, text: string): string | undefined {
  const id = asUniqueRecordId(prefix, text);
  return id === undefined ? undefined : uniqueIdOf(prefix, id);
}
