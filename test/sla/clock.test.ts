import { describe, expect, test } from 'vitest';
import { advanceClock, type Move, startClock } from '../../shared/sla/advance-clock.ts';
import { type Advanced, type Clock, nextDue, settleClock } from '../../shared/sla/clock.ts';
import { figuresOf } from '../../shared/sla/figures.ts';
import { type Policy, targetsWith } from '../../shared/sla/policy.ts';
import type { Priority, TicketStatus } from '../../shared/sla/schema.ts';

/** 24 hours a day; medium: 4 hours to the first response, 24 to the resolution. */
const always: Policy = { number: 1, timezone: 'UTC', targets: targetsWith() };
const nineToFive = [{ from: '09:00', to: '17:00' }];
const weekdaysOnly: Policy = {
  ...always,
  timezone: 'Europe/Berlin',
  businessHours: {
    monday: nineToFive,
    tuesday: nineToFive,
    wednesday: nineToFive,
    thursday: nineToFive,
    friday: nineToFive,
  },
};

const start = (at: string, policy = always, status: TicketStatus = 'open', priority: Priority = 'medium') =>
  startClock({ at, status, priority, policy });
/** The clock after these moves under one policy, and what they breached. */
function moved(started: Advanced, policy: Policy, ...moves: Move[]) {
  let { clock, breaches } = started;
  for (const move of moves) {
    const next = advanceClock(clock, move, policy);
    clock = next.clock;
    breaches = [...breaches, ...next.breaches];
  }
  return { clock, breaches };
}
const shown = (clock: Clock, at: string) => figuresOf(clock, new Date(at));
const instant = (time: string, day = '2026-03-02') => `${day}T${time}${time.length === 5 ? ':00' : ''}.000Z`;

describe('a clock', () => {
  test('time on hold survives a change of priority', () => {
    const { clock } = moved(
      start(instant('08:00')),
      always,
      { at: instant('09:00'), status: 'waiting_customer' },
      { at: instant('12:00'), status: 'open' },
      { at: instant('12:30'), priority: 'high', policy: always },
    );
    // 8 hours from creation, and 3 on hold.
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

  test('a reply a second late is a breach, sweep or no sweep', () => {
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

  test('a ticket made closed or waiting starts no clock', () => {
    for (const status of ['closed', 'resolved', 'waiting_customer'] as const) {
      const { clock, entries } = start(instant('08:00'), weekdaysOnly, status);
      expect(entries.map(({ kind }) => kind)).toEqual(['created', 'status']);
      expect(nextDue(clock)).toBeUndefined();
      expect(settleClock(clock, '2027-03-02T08:00:00.000Z').breaches).toEqual([]);
      expect(shown(clock, '2027-03-02T08:00:00.000Z')).toMatchObject({
        slaStatus: status === 'waiting_customer' ? 'paused' : 'on_time',
        slaTotalPausedTime: 0,
        escalationCount: 0,
      });
    }
  });
});
