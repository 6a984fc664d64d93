import { dialing } from './dialing-codes.ts';
import { foldText } from './fold-text.ts';

/** The digits of a telephone number. */
interface PhoneDigits {
  /** Without the plus or 00 of an international number. */
  digits: string;
  /** True if the number begins with a country code. */
  isInternational: boolean;
}

/** The fewest digits of a text that is read as a telephone number although it contains words. */
const fewestDigits = 7;
const separators = String.raw`[\s().\-/]*`;
const number = String.raw`\+?\(?\d(?:${separators}\d){${fewestDigits - 1},}\)?`;
const labels =
  'telephone|telefono|telefone|telefon|telf|tel|tlf|tfn|cellphone|cell|phone|ph|mobile|mobil|mob|gsm|handy|fax|office|home|work|direct|main|voice';
const labelBefore = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${labels})[\s.:(]*(?=${number})`, 'gu');
const labelAfter = new RegExp(String.raw`(${number})[\s,]*\(?(?:${labels})\.?\)?(?![\p{L}\p{N}])`, 'gu');
const extension = new RegExp(
  String.raw`(${number})[\s,;]*(?:ext(?:ension|n)?|x|#)[\s.:=]*\d{1,6}(?!\d)`,
  'gu',
);
const numberInText = new RegExp(number, 'gu');
const day = /^\d{4}-\d{2}-\d{2}/;

/** The zero before an area code, which is not dialed from other countries: `+49 (0)30`. */
const zeroOfAreaCode = /\(0\)/g;

/** Removes extensions, and words such as `Tel.:`, from the telephone numbers in a folded text. */
export const withoutPhoneWords = (text: string): string =>
  text
    .replace(extension, '$1')
    .replace(labelBefore, '')
    .replace(labelAfter, '$1')
    .replace(zeroOfAreaCode, '');

/** Returns the digits of a text with one telephone number. A plus or 00 begins a country code. */
export function phoneDigitsOf(text: string): PhoneDigits {
  const plain = withoutPhoneWords(foldText(text)).trim();
  const digits = plain.replace(/\D/g, '');
  if (/^\(?\s*\+/.test(plain)) return { digits, isInternational: true };
  // With a 00, which must be dialed before a country code.
  return digits.startsWith('00')
    ? { digits: digits.replace(/^0+/, ''), isInternational: true }
    : { digits, isInternational: false };
}

/**
 * Returns the telephone number in a text with other words, such as `Mary: (212) 555-7027`. Undefined if the text has no
 * number, or other digits.
 */
export function phoneAmongWords(text: string): string | undefined {
  const plain = withoutPhoneWords(foldText(text));
  const [found, ...others] = plain.match(numberInText) ?? [];
  if (found === undefined || others.length > 0 || day.test(found)) return undefined;
  return /\d/.test(plain.replace(found, '')) ? undefined : found;
}

/**
 * Returns the forms in which a number with a country code may be written within its country. `country` is the country of
 * the account (ISO 3166-1). A number of another country has no such form.
 */
export function nationalForms(digits: string, country: string): string[] {
  const { code, trunk = '' } = dialing[country] ?? {};
  if (!code || !digits.startsWith(code) || digits.length < code.length + 3) return [];
  const national = digits.slice(code.length);
  return trunk === '' ? [national] : [national, trunk + national];
}

/** Returns the number with its country code. A number without it is a number of `country`. Undefined without digits. */
export function internationalDigits(text: string, country: string): string | undefined {
  const { digits, isInternational } = phoneDigitsOf(text);
  if (digits === '') return undefined;
  if (isInternational) return digits;
  const { code = '', trunk, lengths = [] } = dialing[country] ?? {};
  const isPossible = (national: string) => lengths.includes(national.length);
  // Some people omit the plus.
  if (!isPossible(digits) && digits.startsWith(code) && isPossible(digits.slice(code.length))) return digits;
  return code + (trunk && digits.startsWith(trunk) ? digits.slice(trunk.length) : digits);
}
