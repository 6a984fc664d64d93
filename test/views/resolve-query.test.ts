import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import listTickets from '../../functions/tickets/list-tickets.ts';
import { dayIn } from '../../shared/instant.ts';
import { resolveQuery } from '../../shared/saved-views/resolve-query.ts';
import { validatorsOf } from '../harness/compiled.ts';

const { query: list } = validatorsOf(listTickets.contract);
if (!list) throw new Error('The list of tickets has no query.');
const now = new Date('2026-03-08T06:30:00.000Z');
const resolved = (query: object, timezone = 'America/New_York', teamId?: number) =>
  resolveQuery({ ...query }, list, { timezone, teamId, now });

describe('a saved query', () => {
  test.each([
    ['-7d', '2026-03-01T06:30:00.000Z'],
    ['+12h', '2026-03-08T18:30:00.000Z'],
    ['-2w', '2026-02-22T06:30:00.000Z'],
    ['today', '2026-03-08T05:00:00.000Z'],
    // The clocks change on this day, which has 23 hours.
    ['today+1d', '2026-03-09T04:00:00.000Z'],
    ['today-1d', '2026-03-07T05:00:00.000Z'],
  ])('reads the time %s as %s', (text, instant) => {
    expect(resolved({ updatedAfter: text })).toEqual({ updatedAfter: instant });
  });

  test('reads today as the start of the day in every time zone, at any time', () => {
    const zones = fc.constantFrom('UTC', 'Asia/Kathmandu', 'Pacific/Auckland', 'America/St_Johns');
    const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, times, fc.integer({ min: -40, max: 40 }), (timezone, time, days) => {
        const text = `today${days === 0 ? '' : days > 0 ? `+${days}d` : `${days}d`}`;
        const at = resolveQuery({ updatedAfter: text }, list, { timezone, teamId: 1, now: time });
        const start = new Date(String(at.updatedAfter));
        const difference = Date.parse(dayIn(timezone, start)) - Date.parse(dayIn(timezone, time));
        expect(difference).toBe(days * 86_400_000);
        expect(dayIn(timezone, new Date(start.getTime() - 1))).not.toBe(dayIn(timezone, start));
      }),
    );
  });

  test('keeps texts that look like times in other parameters, and other texts in times', () => {
    const query = { search: '-7d', requesterId: ['today'], updatedAfter: '-7 days' };
    expect(resolved(query)).toEqual(query);
  });

  test('replaces myTeam in filters by teams, also among other values', () => {
    expect(resolved({ assignedTeamId: 'myTeam' }, 'UTC', 17)).toEqual({ assignedTeamId: [17] });
    expect(resolved({ assignedTeamId: ['myTeam', 4] }, 'UTC', 17)).toEqual({ assignedTeamId: [17, 4] });
    expect(resolved({ search: 'myTeam' }, 'UTC', 17)).toEqual({ search: 'myTeam' });
  });

  test('with myTeam is rejected if the caller has no team', () => {
    const fault = { details: [{ field: 'assignedTeamId', message: expect.stringContaining('no team') }] };
    expect(() => resolved({ assignedTeamId: ['myTeam'] })).toThrow(expect.objectContaining(fault));
  });
});
