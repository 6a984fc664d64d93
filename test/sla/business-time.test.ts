import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterBusinessTime, businessTime } from '../../shared/sla/business-time.ts';
import { openIntervals } from '../../shared/sla/open-intervals.ts';
import type { OpeningHours } from '../../shared/sla/policy.ts';
import { type BusinessHours, weekdays } from '../../shared/sla/schema.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Zones with clock changes in 2026, and their dates. Lord Howe’s clock changes by half an hour. The clocks of Cairo
 * and Santiago change at midnight.
 */
const changes = [
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-10-04'],
  ['Africa/Cairo', '2026-04-24', '2026-10-30'],
  ['America/Santiago', '2026-04-05', '2026-09-06'],
] as const;

/** The local date and time of an instant, according to Intl. */
function localTimeIn(timezone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (instant: number) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return { date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` };
  };
}
type Wall = ReturnType<ReturnType<typeof localTimeIn>>;

/** Five days around every change, with the local time of each minute. */
const windows = changes.flatMap(([timezone, ...days]) =>
  days.map((date) => {
    const from = Date.parse(date) - 2.5 * day;
    const wall = localTimeIn(timezone);
    return {
      timezone,
      date,
      from,
      wall,
      walls: Array.from({ length: 5 * 1440 }, (_, n) => wall(from + n * minute)),
    };
  }),
);

const weekdayOf = (date: string) => weekdays[(new Date(date).getUTCDay() + 6) % 7] ?? 'monday';
const isOpen = ({ date, time }: Wall, hours: BusinessHours): boolean =>
  !hours.holidays?.includes(date) &&
  (hours[weekdayOf(date)] ?? []).some(({ from, to }) => from <= time && time < to);

const timeText = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
/** Up to four intervals of a day, in any order, often at midnight or in the hours of clock changes. */
const intervals = fc
  .uniqueArray(
    fc.oneof(fc.integer({ min: 0, max: 1440 }), fc.constantFrom(0, 60, 90, 120, 150, 180, 1380, 1440)),
    { minLength: 0, maxLength: 8 },
  )
  .map((edges) => edges.toSorted((a, b) => a - b))
  .map((edges) =>
    Array.from({ length: edges.length >> 1 }, (_, n) => ({
      from: timeText(edges[2 * n] ?? 0),
      to: timeText(edges[2 * n + 1] ?? 0),
    })).reverse(),
  );
const hoursAround = (date: string): fc.Arbitrary<BusinessHours> =>
  fc
    .tuple(
      fc.tuple(...weekdays.map(() => intervals)),
      fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 3 }),
    )
    .map(([week, holidays]) => ({
      ...Object.fromEntries(weekdays.map((name, index) => [name, week[index]])),
      holidays: holidays.map((days) => new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)),
    }))
    .filter((hours: BusinessHours) => weekdays.some((name) => hours[name]?.length));

/** A window, business hours, and three ordered instants in the window. */
const cases = fc.constantFrom(...windows).chain((window) =>
  fc.record({
    window: fc.constant(window),
    hours: hoursAround(window.date).map((businessHours): OpeningHours & { businessHours: BusinessHours } => ({
      timezone: window.timezone,
      businessHours,
    })),
    instants: fc
      .tuple(
        ...[1, 2, 3].map(() =>
          fc.oneof(
            fc.integer({ min: 0, max: 5 * day }),
            fc.integer({ min: 0, max: 5 * 1440 }).map((n) => n * minute),
          ),
        ),
      )
      .map((offsets) => offsets.map((offset = 0) => window.from + offset).sort((a, b) => a - b)),
  }),
);
const allDay = Object.fromEntries(weekdays.map((name) => [name, [{ from: '00:00', to: '24:00' }]]));
const nineToFive = Object.fromEntries(weekdays.map((name) => [name, [{ from: '09:00', to: '17:00' }]]));
const inZone = (timezone: string, businessHours: BusinessHours): OpeningHours => ({
  timezone,
  businessHours,
});

describe('business time', () => {
  test('every zone has a clock change in each of its two windows', () => {
    for (const { walls, timezone } of windows)
      expect(walls[0]?.time === walls.at(-1440)?.time, timezone).toBe(false);
  });

  test('equals the number of open minutes according to Intl, around both clock changes of five zones', () => {
    fc.assert(
      fc.property(cases, ({ window, hours, instants: [from = 0, to = 0] }) => {
        let counted = 0;
        for (const [n, wall] of window.walls.entries()) {
          const start = window.from + n * minute;
          if (isOpen(wall, hours.businessHours))
            counted += Math.max(0, Math.min(to, start + minute) - Math.max(from, start));
        }
        expect(businessTime(from, to, hours)).toBe(counted);
      }),
      { numRuns: 300 },
    );
  });

  test('is additive and monotonic, even over several years', () => {
    const years = fc.integer({ min: Date.UTC(2019, 0), max: Date.UTC(2031, 0) });
    fc.assert(
      fc.property(cases, fc.array(years, { minLength: 3, maxLength: 3 }), ({ hours, instants }, far) => {
        for (const [a = 0, b = 0, c = 0] of [instants, far.toSorted((one, other) => one - other)]) {
          const [first, second, both] = [
            businessTime(a, b, hours),
            businessTime(b, c, hours),
            businessTime(a, c, hours),
          ];
          expect(first + second).toBe(both);
          expect(first).toBeGreaterThanOrEqual(0);
          expect(both).toBeLessThanOrEqual(c - a);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('has an exact inverse, which returns the first instant at which this much time has passed', () => {
    const amount = fc.oneof(
      fc.integer({ min: 1, max: 90 * day }),
      fc.integer({ min: 1, max: 2000 }).map((n) => n * minute),
    );
    fc.assert(
      fc.property(cases, amount, ({ hours, instants: [from = 0, to = 0] }, milliseconds) => {
        const due = afterBusinessTime(from, milliseconds, hours);
        expect(businessTime(from, due, hours)).toBe(milliseconds);
        expect(businessTime(from, due - 1, hours)).toBe(milliseconds - 1);
        expect(afterBusinessTime(from, businessTime(from, to, hours), hours)).toBeLessThanOrEqual(to);
      }),
      { numRuns: 200 },
    );
  });

  test('is the sum of the open intervals, which neither touch nor overlap each other', () => {
    fc.assert(
      fc.property(cases, ({ hours, instants: [from = 0, , to = 0] }) => {
        const open = openIntervals(from, to, hours);
        expect(open.reduce((sum, one) => sum + one.to - one.from, 0)).toBe(businessTime(from, to, hours));
        for (const [n, { from: start, to: end }] of open.entries()) {
          expect(start).toBeLessThan(end);
          expect(start).toBeGreaterThan(open[n - 1]?.to ?? from - 1);
          expect(businessTime(start, end, hours)).toBe(end - start);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('is the elapsed time if there are no business hours', () => {
    const always = { timezone: 'Europe/Berlin' };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 0, max: 1e12 }), (from, span) => {
        expect(businessTime(from, from + span, always)).toBe(span);
        expect(afterBusinessTime(from, span, always)).toBe(from + span);
      }),
    );
  });

  test('has no gap at midnight if the account is open around the clock', () => {
    const halves = Object.fromEntries(
      weekdays.map((name) => [
        name,
        [
          { from: '12:00', to: '24:00' },
          { from: '00:00', to: '12:00' },
        ],
      ]),
    );
    fc.assert(
      fc.property(
        cases,
        fc.constantFrom(allDay, halves),
        ({ window, instants: [from = 0, to = 0] }, hours) => {
          const open = inZone(window.timezone, hours);
          expect(businessTime(from, to, open)).toBe(to - from);
          expect(afterBusinessTime(from, to - from, open)).toBe(to);
          expect(openIntervals(from, to, open)).toEqual(from < to ? [{ from, to }] : []);
        },
      ),
    );
  });

  test('includes every open hour of a day with a clock change', () => {
    for (const { timezone, date, from, wall, walls } of windows) {
      const on = (wanted: string) =>
        walls.flatMap((wall, n) => (wall.date === wanted ? [from + n * minute] : []));
      const today = on(date);
      const start = today[0] ?? 0;
      const end = (today.at(-1) ?? 0) + minute;
      // The hours from 9 to 17 are eight hours, even on this day. If the account is open all day, the
      // business time is the length of the local day.
      expect(businessTime(start, end, inZone(timezone, nineToFive)), date).toBe(8 * hour);
      expect(businessTime(start, end, inZone(timezone, allDay)), date).toBe(end - start);
      // The first of the two hours passes on the day before the change, and the second on the morning of the change.
      const [before = 0] = on(new Date(Date.parse(date) - day).toISOString().slice(0, 10)).filter(
        (instant) => wall(instant).time === '16:00',
      );
      const due = afterBusinessTime(before, 2 * hour, inZone(timezone, nineToFive));
      expect(wall(due), timezone).toEqual({ date, time: '10:00' });
    }
  });

  test('skips a local date that does not exist in a zone', () => {
    // Samoa skipped 2011-12-30 when it crossed the date line.
    const from = Date.parse('2011-12-29T10:00:00Z');
    const apia = inZone('Pacific/Apia', nineToFive);
    expect(businessTime(from, from + 3 * day, apia)).toBe(3 * 8 * hour);
    const friday = inZone('Pacific/Apia', { friday: [{ from: '00:00', to: '24:00' }] });
    expect(businessTime(from, from + 3 * day, friday)).toBe(0);
  });

  test('ends at the end of an open interval, not at the start of the next interval', () => {
    const berlin = inZone('Europe/Berlin', nineToFive);
    const four = Date.parse('2026-06-01T16:00:00+02:00');
    expect(afterBusinessTime(four, hour, berlin)).toBe(Date.parse('2026-06-01T17:00:00+02:00'));
    expect(afterBusinessTime(four, hour + 1, berlin)).toBe(Date.parse('2026-06-02T09:00:00.001+02:00'));
    expect(afterBusinessTime(four + 5 * hour, 0, berlin)).toBe(four + 5 * hour);
  });

  test('ends at most a hundred years after its start', () => {
    const from = Date.parse('2026-06-01');
    expect(afterBusinessTime(from, Number.MAX_SAFE_INTEGER, { timezone: 'UTC' })).toBe(
      from + 100 * 366 * day,
    );
    expect(afterBusinessTime(from, 1, inZone('UTC', {}))).toBe(from + 100 * 366 * day);
  });
});
