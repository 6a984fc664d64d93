import { asRecordId, mintedAt } from '../id/mint.ts';
import { REDACTED } from '../security/merge-fields.ts';
import { type Cleaning, cleanText, isSensitiveNumber } from './clean-text.ts';

/** The longest allowed text. A longer text is a note or a file, which can contain anything. */
const longest = 200;

/** In words with numbers, at most this number of digits: no account, no telephone, and no tax id has so few. */
const mostDigits = 8;

/**
 * The forms of values that stay in an object with any fields: an id, a date and time, a number, a telephone number, an email
 * address, the address of a page, and words with short numbers. A word with letters and digits can be a password.
 */
const allowed: readonly RegExp[] = [
  /^(?:acc|app|tkt|tty|rot|own|bulk)_[\da-z]{10,32}$/i,
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/,
  /^[+-]?\d{1,8}(?:[.,]\d{1,4})?%?$/,
  /^\+\d{1,3}[ \d()-]{6,20}$/,
  /^[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,24}$/i,
  /^https?:\/\/(?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,24}(?:\/[a-z-]{1,30}){0,6}\/?$/i,
];
const words =
  /^(?:[\p{L}\p{M}]{1,30}|\d{1,6})(?:(?:[ /_-]|, | & |['’.] ?|: )(?:[\p{L}\p{M}]{1,30}|\d{1,6})){0,40}[.!?]?$/u;

/** Returns a text of an open object if it has an allowed form and no sensitive part, otherwise REDACTED. */
export function allowedText(text: string, cleaning: Cleaning): string {
  if (text === '' || text === REDACTED) return text;
  if (text.length > longest || cleanText(text, cleaning) !== text) return REDACTED;
  const hasFewDigits = text.replaceAll(/\D/g, '').length <= mostDigits;
  const isAllowed = (hasFewDigits && words.test(text)) || isRecordId(text, cleaning.now);
  return isAllowed || allowed.some((form) => form.test(text)) ? text : REDACTED;
}

/** Returns a number of an open object if it is short or the id of a record, otherwise REDACTED. */
export function allowedNumber(value: number, cleaning: Cleaning): number | string {
  const digits = String(value).replaceAll(/\D/g, '').length;
  const isAllowed = digits <= mostDigits || isRecordId(value, cleaning.now);
  return isAllowed && !isSensitiveNumber(value, cleaning) ? value : REDACTED;
}

/** Ids have 15 digits since the end of 2025. */
const firstLongId = 1e14;
const minute = 60_000;

/** Reports whether a value can be the id of a record: the instant in the id is before `now`, or a minute later. */
export function isRecordId(value: unknown, now: Date): boolean {
  const id = typeof value === 'string' ? asRecordId(value) : value;
  return (
    typeof id === 'number' &&
    Number.isInteger(id) &&
    id >= firstLongId &&
    mintedAt(id).getTime() <= now.getTime() + minute
  );
}
