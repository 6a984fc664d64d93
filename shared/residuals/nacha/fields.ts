import { foldText } from '../../search/fold-text.ts';

/** The characters of a record, and the records of a block (Nacha Operating Rules, appendix three). */
export const recordLength = 94;
export const blockSize = 10;

/** The largest amount of an entry in cents: ten digits. */
export const largestEntry = 9_999_999_999;
/** The largest total of a batch or a file in cents: twelve digits. */
export const largestTotal = 999_999_999_999;
/** The entry hash is the sum of the first eight digits of the routing numbers, of which the file has the last ten digits. */
export const hashModulus = 10_000_000_000;

/** The two digits of an entry that credits an account. */
export const creditCodes = { checking: '22', savings: '32' } as const;
export type AchAccountType = keyof typeof creditCodes;

/**
 * Returns a text in the characters that every bank accepts: upper-case letters, digits and ASCII punctuation. Removes accents,
 * and replaces other characters by spaces. `Zoë Müller` becomes `ZOE MULLER`.
 */
export const achText = (text: string): string =>
  foldText(text)
    .toUpperCase()
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();

/** Reports whether a text can be an account number in a NACHA file: at most 17 digits, letters and hyphens. */
export const isAchAccountNumber = (text: string): boolean =>
  /^[0-9A-Za-z-]{1,17}$/.test(text) && /\d/.test(text);

/** A text field: aligned to the left, filled with spaces, and cut. */
export const alphameric = (text: string, width: number): string =>
  achText(text).slice(0, width).padEnd(width);

/** A number field: aligned to the right, filled with zeros. Throws if the number has more digits. */
export function numeric(value: number | string, width: number): string {
  const text = String(value);
  if (!/^\d+$/.test(text) || text.length > width)
    throw new Error(`The number ${text} does not fit into ${width} digits.`);
  return text.padStart(width, '0');
}
