import { create, toZonedDateTime } from 'temporal-polyfill/fns/PlainDateTime';
import { calendarDay } from '../../../shared/formats.ts';
import { asInstant } from '../../../shared/instant.ts';
import type { CellReading } from './read-number.ts';

/** The order of year, month and day in dates. */
type DateOrder = 'mdy' | 'dmy' | 'ymd';

export interface DateOptions {
  /** The order of dates that do not begin with the year. Without it, a date such as `3/1/2026` is ambiguous. */
  dates?: DateOrder | undefined;
  /** The time zone of times without an offset, or a message if there is none. */
  zone(): Promise<CellReading<string>>;
}

const parts = /^(?<day>\S+?)(?:(?:T|,?\s+)(?<time>\d.*))?$/i;
const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
const timeOfDay =
  /^(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.(?<fraction>\d{1,9}))?)?(?:\s*(?<half>[AP])M)?(?:\s*(?<offset>Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i;
/** A date-time as a number of days, as spreadsheets store it. Five digits are the years 1927 to 2173. */
const serial = /^[1-9]\d{4}(?:\.\d+)?$/;

/** The day 0 of Excel's serial numbers after February 1900. */
const serialStart = Date.UTC(1899, 11, 30);

interface LocalTime {
  /** `2026-03-01` */
  day: string;
  /** `09:30:00.000` */
  time: string;
  /** `Z` or `+01:00` */
  offset?: string;
}

/**
 * Reads a date. Returns undefined for text that is not a date of the calendar, and for a time of day other than midnight.
 */
export function readDate(
  text: string,
  { dates }: Pick<DateOptions, 'dates'>,
): CellReading<string> | undefined {
  const local = localTimeIn(text, dates);
  if (!local || 'message' in local) return local;
  return local.offset === undefined && local.time === '00:00:00.000' ? { value: local.day } : undefined;
}

/**
 * Reads a date-time and returns an instant. A time without an offset is in the time zone of the options. If clocks are set
 * forward or back, a time that does not exist or occurs twice is read with the offset before the change. Returns undefined
 * for text that is not a date-time.
 */
export async function readDateTime(
  text: string,
  { dates, zone }: DateOptions,
): Promise<CellReading<string> | undefined> {
  const local = localTimeIn(text, dates);
  if (!local || 'message' in local) return local;
  const { day, time, offset } = local;
  if (offset !== undefined) {
    const value = asInstant(`${day}T${time}${offset}`);
    return value === undefined ? undefined : { value };
  }
  const found = await zone();
  if ('message' in found) return { message: `"${text}" has no time zone. ${found.message}` };
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0, ms = 0] = `${day}:${time}`
    .split(/[-:.]/)
    .map(Number);
  const wallClock = create(year, month, date, hour, minute, second, ms);
  return { value: new Date(toZonedDateTime(wallClock, found.value).epochMilliseconds).toISOString() };
}

function localTimeIn(
  text: string,
  order: DateOrder | undefined,
): LocalTime | { message: string } | undefined {
  if (serial.test(text)) {
    const seconds = Math.round(Number(text) * 86_400);
    const [day = '', time = ''] = new Date(serialStart + seconds * 1000).toISOString().split(/[TZ]/);
    return { day, time };
  }
  const { day: date = '', time: clock = '0:00' } = parts.exec(text)?.groups ?? {};
  const time = timeIn(clock);
  if (time === undefined) return undefined;
  const [, year, , month = '', dayOfMonth = ''] = yearFirst.exec(date) ?? [];
  const day = year === undefined ? dayInOrder(date, order) : dayOf(year, month, dayOfMonth);
  return typeof day === 'string' ? { day, ...time } : day;
}

/** Returns the day in the given order. Without an order, all orders that give a day must give the same day. */
function dayInOrder(date: string, order: DateOrder | undefined): string | { message: string } | undefined {
  const [, first = '', , second = '', year = ''] = yearLast.exec(date) ?? [];
  if (year.length === 2)
    return { message: `"${date}" has a year of two digits, but four digits are required` };
  const [mdy, dmy] = [dayOf(year, first, second), dayOf(year, second, first)];
  if (mdy === undefined && dmy === undefined) return undefined;
  if (order !== undefined)
    return { mdy, dmy, ymd: undefined }[order] ?? { message: `"${date}" is not in the order ${order}` };
  if (mdy !== undefined && dmy !== undefined && mdy !== dmy)
    return { message: `"${date}" can mean ${mdy} or ${dmy}: add --dates mdy or --dates dmy` };
  return mdy ?? dmy;
}

function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return calendarDay.test(text) ? text : undefined;
}

function timeIn(text: string): Pick<LocalTime, 'time' | 'offset'> | undefined {
  const found = timeOfDay.exec(text)?.groups;
  if (!found) return undefined;
  const { hour, minute, second = '00', fraction = '', half, offset } = found;
  const given = Number(hour);
  if (half === undefined ? given > 23 : given < 1 || given > 12) return undefined;
  const hours = half === undefined ? given : (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const time = `${String(hours).padStart(2, '0')}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  if (offset === undefined) return { time };
  return { time, offset: /^[+-]/.test(offset) ? offset.replace(/(\d\d):?(\d\d)/, '$1:$2') : 'Z' };
}
