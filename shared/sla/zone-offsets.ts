import { fromEpochMilliseconds, toZonedDateTimeISO } from 'temporal-polyfill/fns/Instant';
import { getTimeZoneTransition, offsetNanoseconds } from 'temporal-polyfill/fns/ZonedDateTime';

/** A period with a constant UTC offset, in milliseconds; `to` is exclusive. */
interface OffsetPeriod {
  from: number;
  to: number;
  offset: number;
}

/** The periods by zone and year. Time zone data does not change while the process runs. */
const known = new Map<string, Map<number, OffsetPeriod[]>>();

/** Returns the offset periods of an IANA time zone, cut to the range between two instants. */
export function offsetPeriods(timezone: string, from: number, to: number): OffsetPeriod[] {
  const periods: OffsetPeriod[] = [];
  const last = new Date(to).getUTCFullYear();
  for (let year = new Date(from).getUTCFullYear(); year <= last; year++)
    for (const period of periodsOf(timezone, year))
      if (period.from < to && period.to > from)
        periods.push({ ...period, from: Math.max(from, period.from), to: Math.min(to, period.to) });
  return periods;
}

function periodsOf(timezone: string, year: number): OffsetPeriod[] {
  const years = known.get(timezone) ?? new Map<number, OffsetPeriod[]>();
  known.set(timezone, years);
  const periods = years.get(year) ?? findPeriods(timezone, year);
  years.set(year, periods);
  return periods;
}

function findPeriods(timezone: string, year: number): OffsetPeriod[] {
  const end = Date.UTC(year + 1, 0);
  const periods: OffsetPeriod[] = [];
  let at = toZonedDateTimeISO(fromEpochMilliseconds(Date.UTC(year, 0)), timezone);
  for (;;) {
    const next = getTimeZoneTransition(at, 'next');
    const to = next && next.epochMilliseconds < end ? next.epochMilliseconds : end;
    periods.push({ from: at.epochMilliseconds, to, offset: offsetNanoseconds(at) / 1_000_000 });
    if (!next || to === end) return periods;
    at = next;
  }
}
