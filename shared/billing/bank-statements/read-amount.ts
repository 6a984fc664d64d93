import { currencyCodes, minorDigitsOf } from '../currencies.ts';
import type { DecimalStyle } from './statement.ts';

/** An amount as a file writes it. */
export interface WrittenAmount {
  /** In the smallest unit of the currency, with the sign that the text has. */
  amount: number;
  currency: string;
  /** The direction that a suffix such as `CR` or `S` states. */
  direction?: 'in' | 'out';
}

/** The currencies of signs. A sign of several currencies fits each of them; the first is the default. */
const signs: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '$',
    'USD AUD BBD BMD BND BSD BZD CAD COP CLP ARS FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD SRD TTD TWD XCD'.split(
      ' ',
    ),
  ],
  ['US$', ['USD']],
  ['C$', ['CAD']],
  ['CA$', ['CAD']],
  ['A$', ['AUD']],
  ['AU$', ['AUD']],
  ['NZ$', ['NZD']],
  ['HK$', ['HKD']],
  ['S$', ['SGD']],
  ['R$', ['BRL']],
  ['€', ['EUR']],
  ['£', ['GBP', 'EGP', 'GIP', 'FKP', 'SHP']],
  ['¥', ['JPY', 'CNY']],
  ['₹', ['INR']],
  ['₩', ['KRW']],
  ['₽', ['RUB']],
  ['₺', ['TRY']],
  ['₴', ['UAH']],
  ['₪', ['ILS']],
  ['ZŁ', ['PLN']],
  ['KČ', ['CZK']],
  ['KR', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['KR.', ['DKK', 'NOK', 'SEK', 'ISK']],
  ['FR.', ['CHF']],
  ['SFR.', ['CHF']],
]);

const suffixes: ReadonlyMap<string, 'in' | 'out'> = new Map([
  ['CR', 'in'],
  ['C', 'in'],
  ['H', 'in'],
  ['DR', 'out'],
  ['D', 'out'],
  ['DB', 'out'],
  ['S', 'out'],
]);

const minus = /[\u2010-\u2015\u2212\ufe63\uff0d]/g;
/** Everything around the digits: signs, brackets, letters and symbols of a currency. */
const around = /^([^\d.,]*)((?:[.,]?\d)(?:[\d., '’]*\d)?[.,]?)([^\d]*)$/;

/** Longer cells are texts. */
const longestAmount = 60;

/** Returns the currencies of a sign or a code, in capital letters. Undefined for other texts. */
export const currenciesOf = (mark: string): readonly string[] | undefined =>
  currencyCodes.includes(mark) ? [mark] : signs.get(mark);

/**
 * Reads an amount such as `$1,234.50`, `1.234,50 €`, `(50.00)`, `50.00-`, `50.00 CR`, `.50` or `JPY 1000.00`. Without a
 * style, the last separator is a decimal separator unless exactly three digits follow it; where three digits can be
 * both thousands and decimals of the currency, the text is ambiguous. Returns undefined for ambiguous and other texts.
 * `currency` is that of the row; a text that names another one is read in its own.
 */
export function readAmount(text: string, currency: string, style?: DecimalStyle): WrittenAmount | undefined {
  const written = readMarkedNumber(text);
  if (!written) return undefined;
  const { number, currencies, isNegative, direction } = written;
  const own = currencies && (currencies.includes(currency) ? currency : currencies[0]);
  const of = own ?? currency;
  const size = minorUnits(number, minorDigitsOf(of), style);
  if (size === undefined) return undefined;
  const amount = isNegative ? 0 - size : size;
  return { amount, currency: of, ...(direction && { direction }) };
}

/** The digits and separators of a number, with what the text around them states. */
interface MarkedNumber extends Marks {
  number: string;
}

/** Reads a number without interpreting its separators. Returns undefined for other texts. */
export function readMarkedNumber(text: string): MarkedNumber | undefined {
  if (text.length > longestAmount) return undefined;
  const written = text.normalize('NFKC').replace(minus, '-').replace(/\s+/g, ' ').trim();
  const [, before = '', number, after = ''] = around.exec(written) ?? [];
  if (number === undefined) return undefined;
  const marks = marksOf(before, after);
  return marks && { ...marks, number: number.replace(/[ '’]/g, '') };
}

interface Marks {
  isNegative: boolean;
  currencies?: readonly string[];
  direction?: 'in' | 'out';
}

/** Reads what stands before and after the digits. Returns undefined if a part is unknown or two parts contradict. */
function marksOf(before: string, after: string): Marks | undefined {
  const isBracketed = before.includes('(') && after.includes(')');
  if (!isBracketed && /[()]/.test(before + after)) return undefined;
  const strip = (part: string) =>
    part
      .replace(/[()+-]/g, ' ')
      .trim()
      .toUpperCase();
  const minuses = [...(before + after)].filter((one) => one === '-').length;
  if (minuses + (isBracketed ? 1 : 0) > 1) return undefined;
  const marks: Marks = { isNegative: isBracketed || minuses === 1 };
  for (const word of [...strip(before).split(' '), ...strip(after).split(' ')].filter((one) => one !== '')) {
    const currencies = currenciesOf(word);
    const direction = suffixes.get(word);
    if (currencies && !marks.currencies) marks.currencies = currencies;
    else if (direction && !marks.direction && strip(after).split(' ').includes(word))
      marks.direction = direction;
    else return undefined;
  }
  return marks;
}

/** Digits, possibly in groups of three, or in the Indian groups of two and at last three. */
const grouped = (separator: string): RegExp =>
  new RegExp(
    `^(?:\\d+|\\d{1,3}(?:\\${separator}\\d{3})+|\\d{1,2}(?:\\${separator}\\d{2})+\\${separator}\\d{3})$`,
  );
const byComma = grouped(',');
const byPoint = grouped('.');

/** Reports whether a single separator can separate both thousands and three decimals. */
export const isAmbiguousNumber = (number: string): boolean => /^\d{1,3}[.,]\d{3}$/.test(number);

function minorUnits(number: string, digits: number, style: DecimalStyle | undefined): number | undefined {
  // A single group of three digits is thousands, unless the currency has three decimals.
  if (!style && digits === 3 && !styleOf(number) && isAmbiguousNumber(number)) return undefined;
  const parts = decimalParts(number, style);
  if (!parts || parts.fraction.length > digits) return undefined;
  const amount = Number(parts.whole + parts.fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/**
 * Returns the digits before and after the decimal separator, without separators and without zeros at the end. Without a
 * style, the number shows it; a single group of three digits is thousands. Returns undefined for other texts.
 */
export function decimalParts(
  number: string,
  style: DecimalStyle | undefined,
): { whole: string; fraction: string } | undefined {
  const decimal = style ?? styleOf(number);
  const [separator, thousands] = decimal === 'comma' ? [',', byPoint] : ['.', byComma];
  const point = decimal ? number.lastIndexOf(separator) : -1;
  const whole = point < 0 ? number : number.slice(0, point);
  const fraction = (point < 0 ? '' : number.slice(point + 1)).replace(/0+$/, '');
  const isWhole =
    whole === ''
      ? fraction !== ''
      : (decimal ? [thousands] : [byComma, byPoint]).some((one) => one.test(whole));
  if (!isWhole || !/^\d*$/.test(fraction)) return undefined;
  return { whole: whole.replace(/[.,]/g, ''), fraction };
}

/** Returns the style that a number shows. Undefined for other texts, and for one separator before three digits. */
function styleOf(number: string): DecimalStyle | undefined {
  const [points, commas] = ['.', ','].map((one) => number.split(one).length - 1) as [number, number];
  if (points === 0 && commas === 0) return undefined;
  if (points > 0 && commas > 0) {
    const style = number.lastIndexOf('.') > number.lastIndexOf(',') ? 'point' : 'comma';
    const [separator, thousands] = style === 'point' ? ['.', byComma] : [',', byPoint];
    const parts = number.split(separator);
    return parts.length === 2 && thousands.test(parts[0] ?? '') ? style : undefined;
  }
  // Several equal separators group thousands.
  if (points > 1) return byPoint.test(number) ? 'comma' : undefined;
  if (commas > 1) return byComma.test(number) ? 'point' : undefined;
  const [whole = '', fraction = ''] = number.split(/[.,]/);
  if (fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)) return undefined;
  return points === 1 ? 'point' : 'comma';
}

/** Returns the decimal style that the amounts of a file have in common. Undefined if they show none, or both. */
export function decimalStyleOf(texts: Iterable<string>): DecimalStyle | undefined {
  const shown = new Set<DecimalStyle>();
  for (const text of texts) {
    if (text.length > longestAmount) continue;
    const [, , number] = around.exec(text.normalize('NFKC').replace(minus, '-').trim()) ?? [];
    const style = number === undefined ? undefined : styleOf(number.replace(/[\s'’]/g, ''));
    if (style) shown.add(style);
  }
  const [style, other] = shown;
  return other === undefined ? style : undefined;
}
