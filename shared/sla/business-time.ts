import { minuteOfDay, type OpeningHours } from './policy.ts';
import { type BusinessHours, weekdays } from './schema.ts';
import { offsetPeriods } from './zone-offsets.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const week = 7 * day;
/** 1970-01-05, the first Monday in 1970, in local time. */
const firstMonday = 4 * day;
/** The longest span that `afterBusinessTime` searches, in milliseconds. Limits the cost if business is rarely open. */
const maxSpan = 100 * 366 * day;

/**
 * Returns the business time between two instants, in milliseconds. The instants are in milliseconds since
 * 1970. Business is open if the local day is not a holiday and the local time is in an interval of that
 * weekday. The result is exact when daylight saving time begins or ends, because each period with a constant
 * UTC offset is computed separately.
 */
export function businessTime(from: number, to: number, { timezone, businessHours }: OpeningHours): number {
  if (!businessHours) return to - from;
  const { openBefore } = calendarOf(businessHours);
  let open = 0;
  for (const { from: start, to: end, offset } of offsetPeriods(timezone, from, to))
    open += openBefore(end + offset) - openBefore(start + offset);
  return open;
}

/**
 * Returns the first instant at which `milliseconds` of business time have passed since `from`, at most 100
 * years later. If the time is used up when business closes, the result is the closing time, not the next
 * opening time. Returns `from` for 0 milliseconds.
 */
export function afterBusinessTime(from: number, milliseconds: number, hours: OpeningHours): number {
  if (milliseconds <= 0) return from;
  if (!hours.businessHours) return from + Math.min(milliseconds, maxSpan);
  const enough = (span: number): boolean => businessTime(from, from + span, hours) >= milliseconds;
  let most = Math.min(milliseconds, maxSpan);
  let least = 0;
  while (!enough(most)) {
    if (most === maxSpan) return from + maxSpan;
    least = most;
    most = Math.min(most * 2, maxSpan);
  }
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (enough(middle)) most = middle;
    else least = middle;
  }
  return from + most;
}

/** The intervals of a week, in milliseconds since the start of Monday. */
const intervalsOf = (hours: BusinessHours) =>
  weekdays.flatMap((name, index) =>
    (hours[name] ?? []).map(({ from, to }) => ({
      from: index * day + minuteOfDay(from) * minute,
      to: index * day + minuteOfDay(to) * minute,
    })),
  );

interface Calendar {
  /** Returns the business time from `firstMonday` to a local time. Callers use only the difference of two results. */
  openBefore(local: number): number;
}

/** The calendars, cached by object identity. Objects with business hours are never modified. */
const calendars = new WeakMap<BusinessHours, Calendar>();

function calendarOf(hours: BusinessHours): Calendar {
  const known = calendars.get(hours) ?? makeCalendar(hours);
  calendars.set(hours, known);
  return known;
}

function makeCalendar(hours: BusinessHours): Calendar {
  const intervals = intervalsOf(hours);
  const inWeek = (until: number): number =>
    intervals.reduce((open, { from, to }) => open + Math.max(0, Math.min(until, to) - from), 0);
  const perWeek = inWeek(week);
  const withoutHolidays = (local: number): number => {
    const weeks = Math.floor((local - firstMonday) / week);
    return weeks * perWeek + inWeek(local - firstMonday - weeks * week);
  };
  const holidays = [...new Set(hours.holidays)].map((date) => Date.parse(date)).sort((a, b) => a - b);
  /** At index n: the business time, in milliseconds, that is lost because of the first n holidays. */
  const holidayTime = [0];
  for (const holiday of holidays)
    holidayTime.push((holidayTime.at(-1) ?? 0) + withoutHolidays(holiday + day) - withoutHolidays(holiday));
  const holidayTimeBefore = (local: number): number => {
    const over = countUpTo(holidays, local - day);
    const next = holidays[over];
    const partly = next !== undefined && next < local ? withoutHolidays(local) - withoutHolidays(next) : 0;
    return (holidayTime[over] ?? 0) + partly;
  };
  return { openBefore: (local) => withoutHolidays(local) - holidayTimeBefore(local) };
}

/** Returns how many of the sorted numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
