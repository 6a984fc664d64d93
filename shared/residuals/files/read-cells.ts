import {
  currenciesOf,
  decimalParts,
  isAmbiguousNumber,
  readMarkedNumber,
} from '../../billing/bank-statements/read-amount.ts';
import { readDay } from '../../billing/bank-statements/read-day.ts';
import { foldText } from '../../search/fold-text.ts';
import type { Micros } from '../amounts/micros.ts';
import type { FileReading } from '../formats/schema.ts';
import { type FileCell, isEmptyCell } from './file-cell.ts';
import type { ProblemReason } from './problems.ts';

/** How the numbers and dates of a file are written, and the currency of its amounts. */
export interface CellStyle extends Pick<FileReading, 'decimals' | 'negatives' | 'dates'> {
  currency: string;
}

/** The value of a cell, or the reason why it is rejected. */
type ReadCell<T> = { value: T } | { rejected: ProblemReason };

const rejected = (reason: ProblemReason): { rejected: ProblemReason } => ({ rejected: reason });
const scientific = /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i;
/** An amount below a thousandth, often the rest of a sum of doubles. Its missing digits are below a millionth. */
const tiny = /E-0*(?:[4-9]|[1-9]\d+)$/i;
/** Numbers without separators of thousands. Most cells have this form. */
const plain = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/;
/** Spreadsheets show zero as a dash, possibly with the sign of a currency. */
const dash = /^(?:\p{Sc} ?)?[-\u2010-\u2015\u2212]+(?: ?\p{Sc})?$/u;

/**
 * Reads the amount of a cell, in millionths. More decimals are rounded, halves away from zero. Returns undefined for an
 * empty cell.
 */
export function readMicros(cell: FileCell | undefined, style: CellStyle): ReadCell<Micros> | undefined {
  if (cell === undefined || isEmptyCell(cell)) return undefined;
  if (typeof cell === 'string') return readTextMicros(cell, style);
  if ('number' in cell)
    return isOther(cell.sign, style.currency) ? rejected('other_currency') : ofNumber(cell.number);
  return rejected('date' in cell ? 'date_for_number' : cell.rejected);
}

/** Reports whether a sign is known, and belongs to other currencies only. */
const isOther = (sign: string | undefined, currency: string): boolean =>
  sign !== undefined && currenciesOf(sign)?.includes(currency) === false;

/** Returns the currency that a header names, such as `Net (EUR)` or `Net €`, if it is another one. */
export const otherCurrencyIn = (header: string, currency: string): string | undefined =>
  [/[([]([A-Z]{3})[)\]]/, /\p{Sc}/u]
    .map((pattern) => pattern.exec(header))
    .flatMap((found) => found?.[1] ?? found?.[0] ?? [])
    .find((sign) => isOther(sign, currency));

/** Reads a number of a spreadsheet, which is a double in decimal notation, possibly with an exponent. */
function ofNumber(text: string): ReadCell<Micros> {
  const quick = ofPlain(text);
  if (quick) return quick;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return rejected('not_a_number');
  if (Math.abs(number) >= 1e15) return rejected('too_large');
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.(\d{6})$/.exec(number.toFixed(6)) ?? [];
  return ofDigits(sign !== '', whole, fraction);
}

function ofPlain(text: string): ReadCell<Micros> | undefined {
  const [, sign, whole, fraction = ''] = plain.exec(text) ?? [];
  return whole === undefined ? undefined : ofDigits(sign !== '', whole, fraction);
}

function ofDigits(isNegative: boolean, whole: string, fraction: string): ReadCell<Micros> {
  const size = Number(whole + fraction.slice(0, 6).padEnd(6, '0')) + (/^\d{6}[5-9]/.test(fraction) ? 1 : 0);
  if (!Number.isSafeInteger(size)) return rejected('too_large');
  return { value: isNegative ? 0 - size : size };
}

function readTextMicros(cell: string, { decimals, negatives, currency }: CellStyle): ReadCell<Micros> {
  const quick = decimals === 'point' ? ofPlain(cell) : undefined;
  if (quick) return quick;
  const text = cell.replace(/\s+/g, ' ').trim();
  if (dash.test(text)) return { value: 0 };
  if (text.startsWith('#')) return rejected('error_value');
  if (scientific.test(text))
    return tiny.test(text) ? ofNumber(text.replace(',', '.')) : rejected('scientific_notation');
  const written = readMarkedNumber(text);
  if (!written) return rejected('not_a_number');
  const { number, currencies, direction, isNegative } = written;
  if (currencies && !currencies.includes(currency)) return rejected('other_currency');
  if (direction && !negatives) return rejected('ambiguous_number');
  if (!decimals && isAmbiguousNumber(number)) return rejected('ambiguous_number');
  const parts = decimalParts(number, decimals);
  if (!parts) return rejected('not_a_number');
  // `50.00- DR` states the sign twice.
  const isSuffixNegative = direction === (negatives === 'debit' ? 'out' : 'in');
  return ofDigits(isNegative || (direction !== undefined && isSuffixNegative), parts.whole, parts.fraction);
}

/** The longest MID. */
const longestMid = 64;
/** Spreadsheets keep only this many digits of a number. */
const keptDigits = 15;

/** Reads a MID. Returns undefined for an empty cell. */
export function readMid(cell: FileCell | undefined): ReadCell<string> | undefined {
  if (cell === undefined || isEmptyCell(cell)) return undefined;
  if (typeof cell !== 'string') return readMidNumber(cell);
  const text = cell
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (text.startsWith('#')) return rejected('error_value');
  if (scientific.test(text)) return rejected('scientific_notation');
  // Programs that store MIDs as doubles write `4445012345678.0`.
  return text.length > longestMid || !/[\p{L}\p{N}]/u.test(text)
    ? rejected('mid_unreadable')
    : { value: text.replace(/^(\d{1,15})\.0+$/, '$1') };
}

function readMidNumber(cell: Exclude<FileCell, string>): ReadCell<string> {
  if (!('number' in cell)) return rejected('date' in cell ? 'mid_unreadable' : cell.rejected);
  const number = Number(cell.number);
  if (!Number.isInteger(number) || number < 0) return rejected('mid_unreadable');
  if (number >= 10 ** keptDigits) return rejected('digits_lost');
  return { value: String(number).padStart(cell.digits ?? 0, '0') };
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads the month of a cell with a month or a date: `2026-10`. Returns undefined for other texts. */
export function readMonth(cell: FileCell, { dates }: CellStyle): string | undefined {
  if (typeof cell !== 'string') {
    if ('date' in cell) return cell.date.slice(0, 7);
    return 'number' in cell ? monthOf(cell.number) : undefined;
  }
  return monthOf(cell.trim()) ?? readDay(cell, dates)?.slice(0, 7);
}

function monthOf(text: string): string | undefined {
  const [, year = '', month = ''] = /^(\d{4})[-/.]?(\d{1,2})$/.exec(text) ?? [];
  if (year !== '') return valid(year, month);
  const [, first = '', last = ''] = /^(\d{1,2})[-/.](\d{4})$/.exec(text) ?? [];
  if (last !== '') return valid(last, first);
  const [, name = '', of = ''] = /^([a-z]{3,9})\.?[-\s,']*(\d{4}|\d{2})$/.exec(foldText(text)) ?? [];
  const number = monthNames.indexOf(name.slice(0, 3)) + 1;
  return number > 0 ? valid(of.padStart(4, '20'), String(number)) : undefined;
}

const valid = (year: string, month: string): string | undefined =>
  Number(month) >= 1 && Number(month) <= 12 ? `${year}-${month.padStart(2, '0')}` : undefined;
