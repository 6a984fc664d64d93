import { describe, expect, test } from 'vitest';
import { advanceClock, type Move, startClock } from '../../shared/sla/advance-clock.ts';
import {
  type Clock,
  type ClockEntry,
  type ClockUpdate,
  nextBreach,
  settleClock,
} from '../../shared/sla/clock.ts';
import { intervalsOf } from '../../shared/sla/explain-clock.ts';
import { figuresOf } from '../../shared/sla/figures.ts';
import { foldClock } from '../../shared/sla/fold-clock.ts';
import { type Policy, targetsWith } from '../../shared/sla/policy.ts';
import type { Priority, TicketStatus } from '../../shared/sla/schema.ts';
import { weekdayHours } from './histories.ts';

/** Open 24 hours a day. The targets of priority medium are 4 hours (first response) and 24 hours (resolution). */
const always: Policy = { number: 1, timezone: 'UTC', targets: targetsWith() };
const weekdaysOnly: Policy = {
  ...always,
  timezone: 'Europe/Berlin',
  businessHours: weekdayHours,
};

const start = (at: string, policy = always, status: TicketStatus = 'open', priority: Priority = 'medium') =>
  startClock({ at, status, priority, policy });
/** Applies moves under one policy and collects all entries and breaches. */
function moved(started: ClockUpdate, policy: Policy, ...moves: Move[]): ClockUpdate {
  let { clock, entries, breaches } = started;
  for (const move of moves) {
    const next = advanceClock(clock, move, policy);
    clock = next.clock;
    entries = [...entries, ...next.entries];
    breaches = [...breaches, ...next.breaches];
  }
  return { clock, entries, breaches };
}
const shown = (clock: Clock, at: string) => figuresOf(clock, new Date(at));
/** Moves that start and end a pause in which the ticket waits for the customer. */
const pause = (from: string, to: string): Move[] => [
  { at: from, status: 'waiting_customer' },
  { at: to, status: 'open' },
];
const instant = (time: string, day = '2026-03-02') => `${day}T${time}${time.length === 5 ? ':00' : ''}.000Z`;

describe('a clock', () => {
  test('paused time is kept when the priority changes', () => {
    const { clock } = moved(
      start(instant('08:00')),
      always,
      { at: instant('09:00'), status: 'waiting_customer' },
      { at: instant('12:00'), status: 'open' },
      { at: instant('12:30'), priority: 'high', policy: always },
    );
    // The resolution is due 8 hours after creation, plus 3 hours of pause.
    expect(shown(clock, instant('12:30'))).toMatchObject({
      slaTotalPausedTime: 180,
      slaResolutionDue: instant('19:00'),
      slaStatus: 'breached',
    });
    const lowered = moved({ clock, entries: [], breaches: [] }, always, {
      at: instant('13:00'),
      priority: 'low',
      policy: always,
    });
    expect(shown(lowered.clock, instant('13:00')).slaResolutionDue).toBe(instant('11:00', '2026-03-04'));
  });

  test('a reply one second late is a breach, with or without a sweep', () => {
    const started = start(instant('08:00'));
    const late = instant('12:00:01');
    const swept = settleClock(started.clock, instant('12:00:01'));
    for (const from of [started, swept]) {
      const { clock, breaches } = moved(from, always, { at: late, response: true });
      expect(breaches).toEqual([{ target: 'firstResponse', at: instant('12:00') }]);
      expect(shown(clock, late)).toMatchObject({
        slaStatus: 'breached',
        slaFirstResponseMet: false,
        slaBreachedAt: instant('12:00'),
        firstResponseTime: 240,
        escalationCount: 1,
      });
    }
    const { breaches } = moved(started, always, { at: instant('12:00'), response: true });
    expect(breaches).toEqual([]);
  });

  test('the clock does not run for a ticket that is created as closed or waiting', () => {
    for (const status of ['closed', 'resolved', 'waiting_customer'] as const) {
      const { clock, entries } = start(instant('08:00'), weekdaysOnly, status);
      expect(entries.map(({ kind }) => kind)).toEqual(['created', 'status']);
      expect(nextBreach(clock)).toBeUndefined();
      expect(settleClock(clock, '2027-03-02T08:00:00.000Z').breaches).toEqual([]);
      expect(shown(clock, '2027-03-02T08:00:00.000Z')).toMatchObject({
        slaStatus: status === 'waiting_customer' ? 'paused' : 'on_time',
        slaTotalPausedTime: 0,
        escalationCount: 0,
      });
    }
  });

  test('a closed weekend within a pause is not counted as paused time', () => {
    // The pause lasts from Friday 16:00 to Monday 10:00 in Berlin.
    const created = start('2026-03-04T08:00:00.000Z', weekdaysOnly);
    const friday = '2026-03-06T15:00:00.000Z';
    const monday = '2026-03-09T09:00:00.000Z';
    const waiting = moved(created, weekdaysOnly, { at: friday, status: 'waiting_customer' });
    const left = 24 * 60 - (8 + 8 + 7) * 60;
    expect(shown(waiting.clock, monday)).toMatchObject({ slaStatus: 'breached', slaPausedAt: friday });
    const { clock } = moved(created, weekdaysOnly, ...pause(friday, monday));
    expect(shown(clock, monday)).toMatchObject({
      slaTotalPausedTime: 120,
      slaResolutionDue: `2026-03-09T${String(9 + left / 60).padStart(2, '0')}:00:00.000Z`,
    });
    // A pause within the weekend adds no paused time.
    const [saturday, sunday] = ['2026-03-07T10:00:00.000Z', '2026-03-08T20:00:00.000Z'];
    const rested = moved(created, weekdaysOnly, ...pause(saturday, sunday)).clock;
    expect(shown(rested, sunday)).toMatchObject({
      slaTotalPausedTime: 0,
      slaResolutionDue: created.clock.resolutionDue,
    });
  });

  test('sixty pauses of 59 s add up to 59 minutes', () => {
    const created = start(instant('08:00'));
    const pauses = Array.from({ length: 60 }, (_, n) => {
      const from = Date.parse(instant('08:00')) + n * 2 * 60_000;
      return pause(new Date(from).toISOString(), new Date(from + 59_000).toISOString());
    });
    const { clock } = moved(created, always, ...pauses.flat());
    expect(shown(clock, instant('10:00'))).toMatchObject({
      slaTotalPausedTime: 59,
      slaFirstResponseDue: instant('12:59'),
    });
  });

  test('only the first reply changes the clock', () => {
    const first = moved(start(instant('08:00')), always, { at: instant('09:00'), response: true });
    const again = advanceClock(first.clock, { at: instant('11:00'), response: true }, always);
    expect(again).toEqual({ clock: first.clock, entries: [], breaches: [] });
  });

  test('a lower priority removes no breach', () => {
    const created = start(instant('08:00'), always, 'open', 'urgent');
    const { clock, breaches } = moved(created, always, {
      at: instant('09:00'),
      priority: 'low',
      policy: always,
    });
    expect(breaches).toEqual([{ target: 'firstResponse', at: instant('08:15') }]);
    expect(shown(clock, instant('09:00'))).toMatchObject({
      slaStatus: 'breached',
      slaBreachedAt: instant('08:15'),
      slaFirstResponseMet: false,
      slaResolutionDue: instant('08:00', '2026-03-04'),
    });
    // The breached target does not become due again.
    expect(settleClock(clock, instant('20:00')).breaches).toEqual([]);
  });

  test('if the target of a higher priority has already passed, the breach is dated at the change of priority', () => {
    const { clock, breaches } = moved(start(instant('08:00')), always, {
      at: instant('09:00'),
      priority: 'urgent',
      policy: always,
    });
    expect(breaches).toEqual([{ target: 'firstResponse', at: instant('09:00') }]);
    expect(shown(clock, instant('09:00'))).toMatchObject({
      slaFirstResponseDue: instant('09:00'),
      slaBreachedAt: instant('09:00'),
      slaResolutionDue: instant('12:00'),
    });
  });

  test('no target is breached while a ticket is closed', () => {
    const created = start(instant('08:00'));
    const closed = moved(created, always, { at: instant('11:00'), status: 'closed' });
    expect(nextBreach(closed.clock)).toBeUndefined();
    expect(settleClock(closed.clock, instant('08:00', '2026-06-01')).breaches).toEqual([]);
    const reopened = moved(closed, always, { at: instant('08:00', '2026-06-01'), status: 'open' });
    expect(reopened.breaches).toEqual([]);
    // Three of 24 hours were used.
    expect(nextBreach(reopened.clock)).toBe(instant('05:00', '2026-06-02'));
    expect(shown(reopened.clock, instant('09:00', '2026-06-01'))).toMatchObject({
      slaStatus: 'on_time',
      reopenCount: 1,
      slaFirstResponseMet: true,
      firstResponseTime: 180,
      slaTotalPausedTime: 21 * 60 + 90 * 24 * 60,
      escalationCount: 0,
    });
    for (const field of ['resolvedAt', 'closedAt', 'resolutionTime', 'slaResolutionMet'])
      expect(shown(reopened.clock, instant('09:00', '2026-06-01'))).not.toHaveProperty(field);
  });

  test('new business hours do not change existing tickets', () => {
    const created = start('2026-03-06T15:00:00.000Z', weekdaysOnly);
    const due = created.clock.firstResponseDue;
    // The target is due on Monday, because one hour was used on Friday.
    expect(due).toBe('2026-03-09T11:00:00.000Z');
    // The account is now open around the clock, but the ticket keeps its policy.
    const current: Policy = { ...always, number: 2 };
    const resumed = moved(
      created,
      weekdaysOnly,
      ...pause('2026-03-06T15:30:00.000Z', '2026-03-06T20:00:00.000Z'),
    ).clock;
    expect(resumed).toMatchObject({ policy: 1, firstResponseDue: '2026-03-09T11:30:00.000Z' });
    // A new priority applies the current policy, and keeps the time that was already counted.
    const repriced = moved({ clock: resumed, entries: [], breaches: [] }, weekdaysOnly, {
      at: '2026-03-07T12:00:00.000Z',
      priority: 'high',
      policy: current,
    }).clock;
    expect(repriced).toMatchObject({ policy: 2, used: 30 * 60_000, paused: 30 * 60_000 });
    expect(repriced.firstResponseDue).toBe('2026-03-07T12:30:00.000Z');
    expect(() => advanceClock(repriced, { at: repriced.at, status: 'closed' }, weekdaysOnly)).toThrow(
      'policy 2',
    );
  });

  test('the SLA status is at_risk when 80% of the nearest open target is used', () => {
    const created = start(instant('08:00')).clock;
    // The target is four hours, of which 80% are 3:12 hours.
    expect(shown(created, instant('11:11:59')).slaStatus).toBe('on_time');
    expect(shown(created, instant('11:12')).slaStatus).toBe('at_risk');
    expect(shown(created, instant('12:00')).slaStatus).toBe('at_risk');
    expect(shown(created, '2026-03-02T12:00:00.001Z').slaStatus).toBe('breached');
    const answered = advanceClock(created, { at: instant('11:30'), response: true }, always).clock;
    expect(shown(answered, instant('11:30')).slaStatus).toBe('on_time');
    expect(shown(answered, instant('03:12', '2026-03-03')).slaStatus).toBe('at_risk');
    const waiting = advanceClock(
      answered,
      { at: instant('20:00'), status: 'waiting_customer' },
      always,
    ).clock;
    expect(shown(waiting, instant('20:00', '2026-03-05')).slaStatus).toBe('paused');
  });

  test('moving from closed back to resolved removes only closedAt', () => {
    const { clock } = moved(
      start(instant('08:00')),
      always,
      { at: instant('09:00'), status: 'resolved' },
      { at: instant('10:00'), status: 'closed' },
      { at: instant('11:00'), status: 'resolved' },
    );
    const figures = shown(clock, instant('12:00'));
    expect(figures).toMatchObject({ resolvedAt: instant('09:00'), resolutionTime: 60, reopenCount: 0 });
    expect(figures).not.toHaveProperty('closedAt');
    expect(figures.slaTotalPausedTime).toBe(0);
  });

  test('no entry is dated before the previous entry, even if the clocks of instances differ', () => {
    const swept = settleClock(start(instant('08:00')).clock, instant('12:00:05'));
    const { clock, entries } = advanceClock(swept.clock, { at: instant('11:59:59'), response: true }, always);
    expect(entries).toMatchObject([{ n: 2, at: instant('12:00:05') }]);
    expect(shown(clock, instant('12:01'))).toMatchObject({
      slaFirstResponseMet: false,
      firstResponseTime: 240,
    });
  });
});

describe('a ledger', () => {
  const policies = new Map([[1, weekdaysOnly]]);
  // The ledger covers the time from Friday 16:00 to Monday 10:00 in Berlin, with a pause of 15 minutes on Monday.
  const created = start('2026-03-06T15:00:00.000Z', weekdaysOnly);
  const [paused, resumed] = ['2026-03-09T08:30:00.000Z', '2026-03-09T08:45:00.000Z'];
  const { entries } = moved(created, weekdaysOnly, ...pause(paused, resumed));

  test('gives the running, paused and closed intervals', () => {
    const { intervals, figures } = intervalsOf(entries, policies, '2026-03-09T09:00:00.000Z');
    const minutes = (count: number) => count * 60_000;
    expect(intervals).toEqual([
      {
        kind: 'running',
        from: '2026-03-06T15:00:00.000Z',
        to: '2026-03-06T16:00:00.000Z',
        milliseconds: minutes(60),
      },
      { kind: 'closed', from: '2026-03-06T16:00:00.000Z', to: '2026-03-09T08:00:00.000Z', milliseconds: 0 },
      { kind: 'running', from: '2026-03-09T08:00:00.000Z', to: paused, milliseconds: minutes(30) },
      { kind: 'paused', from: paused, to: resumed, milliseconds: minutes(15) },
      { kind: 'running', from: resumed, to: '2026-03-09T09:00:00.000Z', milliseconds: minutes(15) },
    ]);
    expect(figures).toEqual({
      used: { milliseconds: minutes(105), minutes: 105, intervals: [0, 2, 4] },
      paused: { milliseconds: minutes(15), minutes: 15, intervals: [3] },
      slaTotalPausedTime: { milliseconds: minutes(15), minutes: 15, intervals: [3] },
    });
  });

  test('of several years gives a single interval that includes the closed hours', () => {
    const { intervals } = intervalsOf(created.entries, policies, '2028-03-06T15:00:00.000Z');
    expect(intervals).toHaveLength(1);
    expect(intervals[0]?.milliseconds).toBeLessThan(2 * 366 * 6 * 60 * 60_000);
  });

  test('that is invalid causes an error', () => {
    const [first, ...rest] = entries;
    for (const broken of [
      [],
      rest,
      [first, first],
      [first, rest[1]],
      [first, rest[0], { ...rest[0], n: 3 }],
      [{ ...first, policy: 9 }],
      [{ ...first, priority: undefined }],
      [first, { ...rest[0], status: undefined }],
    ])
      expect(() => foldClock(broken as ClockEntry[], policies)).toThrow();
  });
});
