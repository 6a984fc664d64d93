import { invalid } from '../errors.ts';
import { hasLuhnCheckDigit } from '../formats.ts';
import { type DigitRun, digitRunsIn, isPhone, spanOfDigits } from './digit-runs.ts';
import type { Span } from './spans.ts';

/** The first digits and the lengths of the numbers of card networks. */
const networks =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11,16}|35\d{14,17}|6\d{15,18}|81\d{14,17}|9792\d{12}|(?:50|5[6-9])\d{11,17})$/;

const [fewestDigits, mostDigits] = [13, 19];

/** In a longer run of digits, each group of a card number except the last has at least this number of digits. */
const fewestInGroup = 4;

/** Reports whether digits are the number of a payment card: a network's first digits and length, and a valid check digit. */
export const isCardNumber = (digits: string): boolean => networks.test(digits) && hasLuhnCheckDigit(digits);

/**
 * Returns the numbers of payment cards in a text: 13 to 19 digits of a card network with a valid check digit (Luhn, ISO/IEC
 * 7812). Spaces, line breaks, dashes, dots, slashes and underscores may separate the digits. A number may be next to other numbers, such as a
 * date. The time is linear in the length of the text.
 */
export const cardNumbersIn = (text: string): Span[] =>
  digitRunsIn(text, fewestDigits).flatMap((run) => cardNumbersInRun(text, run));

function cardNumbersInRun(text: string, run: DigitRun): Span[] {
  const { digits, groups } = run;
  if (isPhone(text, run)) return [];
  if (digits.length <= mostDigits && isCardNumber(digits)) return [spanOfDigits(text, run, 0, digits.length)];
  const found: Span[] = [];
  for (const [index, from] of groups.entries()) {
    for (let next = index; next < groups.length; next++) {
      const to = groups[next + 1] ?? digits.length;
      if (to - from > mostDigits) break;
      if (to - from >= fewestDigits && isCardNumber(digits.slice(from, to)))
        found.push(spanOfDigits(text, run, from, to));
      if (to - (groups[next] ?? 0) < fewestInGroup) break;
    }
  }
  return found;
}

/** Reports whether a text contains the number of a payment card. */
export const containsCardNumber = (text: string): boolean => cardNumbersIn(text).length > 0;

/** Throws `invalid_input` if a text contains a card number. The error does not repeat the text. */
export function refuseCardNumbers(texts: Readonly<Record<string, string | null | undefined>>): void {
  for (const [field, text] of Object.entries(texts))
    if (typeof text === 'string' && containsCardNumber(text))
      throw invalid(field, 'must not contain a card number');
}
