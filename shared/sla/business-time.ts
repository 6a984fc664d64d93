import { minuteOf, type OpeningHours } from './policy.ts';
import { type BusinessHours, weekdays } from './schema.ts';
import { offsetPeriods } from './zone-offsets.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const week = 7 * day;
/** 1970-01-05, in the local time of any zone. */
const aMonday = 4 * day;
/** In milliseconds. No promise reaches further, so that hours that hardly ever open cost no more than this. */
const furthest = 100 * 366 * day;

/**
 * The milliseconds between two instants, both in milliseconds since 1970, in which business is open. An instant is open
 * when its local day is no holiday and its local time lies in an interval of its day: exact over every clock change,
 * because between two of them local time runs as UTC does.
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
 * The first instant at which business was open for `milliseconds` since `from`: the very instant for none, and the end of
 * an open interval rather than the start of the next. Both in milliseconds since 1970, and at most 100 years apart.
 */
export function afterBusinessTime(from: number, milliseconds: number, hours: OpeningHours): number {
  if (milliseconds <= 0) return from;
  if (!hours.businessHours) return from + Math.min(milliseconds, furthest);
  const enough = (span: number): boolean => businessTime(from, from + span, hours) >= milliseconds;
  let most = Math.min(milliseconds, furthest);
  let least = 0;
  while (!enough(most)) {
    if (most === furthest) return from + furthest;
    least = most;
    most = Math.min(most * 2, furthest);
  }
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (enough(middle)) most = middle;
    else least = middle;
  }
  return from + most;
}

/** Intervals of a week, in milliseconds from Monday's start. */
const intervalsOf = (hours: BusinessHours) =>
  weekdays.flatMap((name, index) =>
    (hours[name] ?? []).map(({ from, to }) => ({
      from: index * day + minuteOf(from) * minute,
      to: index * day + minuteOf(to) * minute,
    })),
  );

interface Calendar {
  /** Open milliseconds before a local time, counted from a Monday in 1970. Only differences mean something. */
  openBefore(local: number): number;
}

/** By the hours of an account, which nothing changes once they are read. */
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
  const wholeWeek = inWeek(week);
  const usually = (local: number): number => {
    const weeks = Math.floor((local - aMonday) / week);
    return weeks * wholeWeek + inWeek(local - aMonday - weeks * week);
  };
  const holidays = [...new Set(hours.holidays)].map((date) => Date.parse(date)).sort((a, b) => a - b);
  /** What the holidays before each of them, and before their end, take away. */
  const taken = [0];
  for (const holiday of holidays) taken.push((taken.at(-1) ?? 0) + usually(holiday + day) - usually(holiday));
  const takenBefore = (local: number): number => {
    const over = countUpTo(holidays, local - day);
    const present = holidays[over];
    const partly = present !== undefined && present < local ? usually(local) - usually(present) : 0;
    return (taken[over] ?? 0) + partly;
  };
  return { openBefore: (local) => usually(local) - takenBefore(local) };
}

/** How many of the sorted numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
