import { normalizeEmail } from '../../formats.ts';
import { withWindows1252 } from '../../windows-1252.ts';

/**
 * Texts of mails that other people write, made safe for records and responses. Programs declare ISO-8859-1 for texts in
 * Windows-1252. Control characters themselves do not occur in mails.
 */

/** Replaces unpaired UTF-16 surrogates, which DynamoDB rejects. */
export const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\ufffd');

/** Characters that a text of one line does not contain: controls, line separators, and marks that reorder a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed.
const notInLines = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed.
const notInTexts = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Returns a text as one line of at most `longest` characters. Encoded words of a header can contain line breaks, which
 * would add a header to a reply.
 */
export function lineOf(text: string, longest: number): string {
  const line = withWindows1252(wellFormed(text)).replaceAll(notInLines, ' ').trim();
  return [...line.slice(0, 2 * longest)].slice(0, longest).join('').trim();
}

/** Returns a text with line feeds as its only control characters, besides tabs. */
export const mailText = (text: string): string =>
  withWindows1252(wellFormed(text)).replaceAll(/\r\n?/g, '\n').replaceAll(notInTexts, '').trimEnd();

/** A plain address of at most 254 characters (RFC 5321). Quoted local parts and comments are not accepted. */
const plainAddress = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]{1,189}$/;

/**
 * Returns an address in lower case, with its domain in Punycode as in records, or undefined if the text is not a plain
 * address.
 */
export function mailAddressIn(text: string | undefined): string | undefined {
  const address = text === undefined ? undefined : normalizeEmail(wellFormed(text));
  return address !== undefined && plainAddress.test(address) && lineOf(address, 254) === address
    ? address
    : undefined;
}

const onlyInRawMail = 'Its text and attachments are only in the raw mail, which is kept for 30 days.';

/** Returns the sentence in `leftOut` of a mail whose body was not parsed. */
export const unreadMail = (reason: string): string =>
  `The mail is too large to be read: ${reason}. ${onlyInRawMail}`;

/** Finds the sentence of `unreadMail`. */
export const unreadMailIn = (leftOut: readonly string[]): string | undefined =>
  leftOut.find((sentence) => sentence.endsWith(onlyInRawMail));
