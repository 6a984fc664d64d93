import { daysAfter } from '../../instant.ts';

/** A weekday of `Date.getUTCDay`: 1 is Monday. */
type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

const monday: Weekday = 1;
const thursday: Weekday = 4;

type HolidayRule = (year: number) => string;

const dayText = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

const weekdayOf = (day: string): number => new Date(Date.parse(day)).getUTCDay();

/** The same date each year. A holiday on a Sunday closes the banks on Monday. One on a Saturday closes them on no other day. */
const onDate =
  (month: number, day: number): HolidayRule =>
  (year) => {
    const date = dayText(year, month, day);
    return weekdayOf(date) === 0 ? daysAfter(date, 1) : date;
  };

/** The n-th such weekday of a month, from 1. */
const nth =
  (n: number, weekday: Weekday, month: number): HolidayRule =>
  (year) => {
    const first = dayText(year, month, 1);
    return daysAfter(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1));
  };

/** The last such weekday of a month with 31 days. */
const last =
  (weekday: Weekday, month: number): HolidayRule =>
  (year) => {
    const end = dayText(year, month, 31);
    return daysAfter(end, -((weekdayOf(end) - weekday + 7) % 7));
  };

/** The holidays of the Federal Reserve Banks (federalreserve.gov/aboutthefed/k8.htm). */
const holidays: readonly HolidayRule[] = [
  onDate(1, 1), // New Year's Day
  nth(3, monday, 1), // Birthday of Martin Luther King, Jr.
  nth(3, monday, 2), // Washington's Birthday
  last(monday, 5), // Memorial Day
  onDate(6, 19), // Juneteenth National Independence Day
  onDate(7, 4), // Independence Day
  nth(1, monday, 9), // Labor Day
  nth(2, monday, 10), // Columbus Day
  onDate(11, 11), // Veterans Day
  nth(4, thursday, 11), // Thanksgiving Day
  onDate(12, 25), // Christmas Day
];

/** Reports whether the Federal Reserve Banks settle payments on a day, such as `2026-12-01`. */
export function isBankingDay(day: string): boolean {
  const weekday = weekdayOf(day);
  const year = Number(day.slice(0, 4));
  return weekday !== 0 && weekday !== 6 && !holidays.some((rule) => rule(year) === day);
}

/** Returns the first banking day after a day. */
export function nextBankingDay(day: string): string {
  const next = daysAfter(day, 1);
  return isBankingDay(next) ? next : nextBankingDay(next);
}
