import { calendarDay } from '../../formats.ts';
import { foldText } from '../../search/fold-text.ts';
import type { DayOrder } from './statement.ts';

/** The days that a text can mean, by the order of its parts. */
type Readings = { readonly [O in DayOrder]?: string };

const parts = /^(\S.*?)(?:(?:T|,?\s+)\d{1,2}:\d\d.*)?$/i;
const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})$/;
const named = /^(?:(\d{1,2})[-\s.]*([a-z]{3,9})|([a-z]{3,9})[-\s.]*(\d{1,2}))[-\s.,]+(\d{4}|\d{2})$/;

const months: ReadonlyMap<string, number> = new Map(
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
    .map((name, month): [string, number] => [name, month + 1])
    .concat([
      ['mrz', 3],
      ['mai', 5],
      ['okt', 10],
      ['dez', 12],
    ]),
);

/** Statements do not contain days outside these years. A cell such as `0026-03-02` is a mistake of a spreadsheet. */
const [firstYear, lastYear] = [1970, 2099];
/** A year of two digits is not before this one, so that most dates with it have only one reading. */
const firstShortYear = 2010;

function dayOf(year: string, month: number | string, day: string): string | undefined {
  const whole = year.length === 2 ? `20${year}` : year;
  const text = `${whole}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const from = year.length === 2 ? firstShortYear : firstYear;
  return Number(whole) >= from && Number(whole) <= lastYear && calendarDay.test(text) ? text : undefined;
}

/** Longer cells are texts. */
const longestDate = 40;

function readingsOf(text: string): Readings {
  if (text.length > longestDate) return {};
  const [, date = ''] = parts.exec(text.trim()) ?? [];
  const [, year, , month = '', day = ''] = yearFirst.exec(date) ?? [];
  if (year !== undefined) return defined({ ymd: dayOf(year, month, day) });
  if (/^\d{8}$/.test(date)) {
    const ymd = dayOf(date.slice(0, 4), date.slice(4, 6), date.slice(6));
    return ymd === undefined ? ofParts(date.slice(0, 2), date.slice(2, 4), date.slice(4)) : { ymd };
  }
  const [, first, separator, second = '', last = ''] = yearLast.exec(date) ?? [];
  if (first !== undefined) {
    if (separator === '.') return defined({ dmy: dayOf(last, second, first) });
    return ofParts(first, second, last);
  }
  const [, dayFirst, monthLast, monthFirst, dayLast, ofYear = ''] = named.exec(foldText(date)) ?? [];
  const name = monthLast ?? monthFirst;
  const number = name === undefined ? undefined : months.get(name.slice(0, 3));
  const found = number === undefined ? undefined : dayOf(ofYear, number, dayFirst ?? dayLast ?? '');
  return found === undefined ? {} : { dmy: found, mdy: found };
}

const ofParts = (first: string, second: string, last: string): Readings =>
  defined({
    dmy: dayOf(last, second, first),
    mdy: dayOf(last, first, second),
    ...(last.length === 2 && { ymd: dayOf(first.padStart(2, '0'), second, last) }),
  });

const defined = (readings: { [O in DayOrder]?: string | undefined }): Readings =>
  Object.fromEntries(Object.entries(readings).filter(([, day]) => day !== undefined)) as Readings;

/** A date or a mistake in one, such as `2026-02-30`. */
const dayShape = /^\s*(?:\d{1,4}([-/.])\s?\d{1,2}\1\s?\d{1,4}|\d{8})(?!\d)/;

/** Reports whether a text has the form of a date, possible or not. Titles, totals and amounts have not. */
export const looksLikeDay = (text: string): boolean => dayShape.test(text) || isDay(text);

/** Reports whether a text is a date in any order. */
export const isDay = (text: string): boolean => Object.keys(readingsOf(text)).length > 0;

/**
 * Reads a day, with or without a time, in the order of the file. The day is that of the bank: a time zone is ignored.
 * Returns undefined for an impossible day, and for years outside 1970 to 2099.
 */
export function readDay(text: string, order: DayOrder | undefined): string | undefined {
  const readings = readingsOf(text);
  const days = new Set(Object.values(readings));
  if (days.size === 1)
    return order === undefined || readings[order] !== undefined || isFixed(text) ? [...days][0] : undefined;
  return order === undefined ? undefined : readings[order];
}

/** Dates whose order is visible: a year of four digits at the start, points, or the name of a month. */
const isFixed = (text: string): boolean =>
  yearFirst.test(text.trim().split(/[T\s]/)[0] ?? '') ||
  /^\d{1,2}\./.test(text.trim()) ||
  !/\d[-/]\d/.test(text);

/** The dates of a file: their order, or two readings of one date if the order is unclear. */
type FoundOrder = { order: DayOrder | undefined } | { text: string; days: readonly string[] };

/**
 * Finds the order of the dates of a file: the one in which all its possible dates are days. A file whose dates fit
 * several orders, and mean different days in them, is ambiguous.
 */
export function dayOrderOf(texts: readonly string[]): FoundOrder {
  const unclear = texts
    .map((text) => ({ text, readings: readingsOf(text) }))
    .filter(({ readings }) => {
      const days = Object.values(readings);
      return days.length > 0;
    });
  const orders = (['dmy', 'mdy', 'ymd'] as const).filter((order) =>
    unclear.every(({ readings, text }) => readings[order] !== undefined || isFixed(text)),
  );
  const open = unclear.filter(({ readings }) => new Set(Object.values(readings)).size > 1);
  const possible = ({ readings }: { readings: Readings }) => [
    ...new Set(
      (orders.length > 0 ? orders : (['dmy', 'mdy', 'ymd'] as const)).flatMap(
        (order) => readings[order] ?? [],
      ),
    ),
  ];
  const doubtful = open
    .map((one) => ({ text: one.text.trim(), days: possible(one) }))
    .find(({ days }) => days.length > 1);
  if (doubtful) return doubtful;
  const shown = orders.find((order) => unclear.every(({ readings }) => readings[order] !== undefined));
  return { order: shown ?? orders[0] };
}
