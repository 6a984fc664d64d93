import { invalid } from '../errors.ts';
import { hasLuhnCheckDigit } from '../formats.ts';

/** Groups of digits, which may be separated by single spaces, dots or hyphens as on a card. */
const digitGroups = /\d(?:[ .\u2010-\u2015-]?\d){12,}/g;

/** The first digits and the lengths of the numbers of card networks. */
const networks =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11,16}|35\d{14,17}|6\d{15,18}|(?:50|5[6-9])\d{11,17})$/;

/**
 * Reports whether a text contains the number of a payment card: 13 to 19 digits of a card network with a valid check
 * digit (Luhn, ISO/IEC 7812).
 */
export function containsCardNumber(text: string): boolean {
  for (const [group] of text.normalize('NFKC').matchAll(digitGroups)) {
    const digits = group.replaceAll(/\D/g, '');
    if (digits.length <= 19 && isCardNumber(digits)) return true;
  }
  return false;
}

const isCardNumber = (digits: string): boolean => networks.test(digits) && hasLuhnCheckDigit(digits);

/** Throws `invalid_input` if a text contains a card number. The error does not repeat the text. */
export function refuseCardNumbers(texts: Readonly<Record<string, string | null | undefined>>): void {
  for (const [field, text] of Object.entries(texts))
    if (typeof text === 'string' && containsCardNumber(text))
      throw invalid(field, 'must not contain a card number');
}
