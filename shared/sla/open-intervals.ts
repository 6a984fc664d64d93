import { minuteOfDay, type OpeningHours } from './policy.ts';
import { weekdays } from './schema.ts';
import { offsetPeriods } from './zone-offsets.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Milliseconds since 1970; `to` is exclusive. */
interface Span {
  from: number;
  to: number;
}

/** Returns the open intervals between two instants, merged and in order. Slower than `businessTime` for many days. */
export function openIntervals(from: number, to: number, { timezone, businessHours }: OpeningHours): Span[] {
  if (from >= to) return [];
  if (!businessHours) return [{ from, to }];
  const holidays = new Set(businessHours.holidays);
  const open: Span[] = [];
  for (const period of offsetPeriods(timezone, from, to))
    for (let date = dayOf(period.from + period.offset); date < period.to + period.offset; date += day) {
      if (holidays.has(new Date(date).toISOString().slice(0, 10))) continue;
      const intervals = businessHours[weekdays[(date / day + 3) % 7] ?? 'monday'] ?? [];
      for (const interval of intervals.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
        const start = date - period.offset + minuteOfDay(interval.from) * minute;
        const end = date - period.offset + minuteOfDay(interval.to) * minute;
        add(open, { from: Math.max(start, period.from), to: Math.min(end, period.to) });
      }
    }
  return open;
}

const dayOf = (local: number): number => Math.floor(local / day) * day;

function add(spans: Span[], span: Span): void {
  if (span.from >= span.to) return;
  const last = spans.at(-1);
  if (last?.to === span.from) last.to = span.to;
  else spans.push(span);
}
