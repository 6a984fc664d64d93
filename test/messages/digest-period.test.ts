import { expect, test } from 'vitest';
import { dueOf, periodAt } from '../../shared/messaging/messages/digest-period.ts';

const hour = 3_600_000;
/** The local time in a zone, such as `Mon 09:00`. */
const clockIn = (timeZone: string, at: Date) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
    .format(at)
    .replace(',', '');

test('digests are due at 09:00 local time before and after a clock change', () => {
  const weeksOf = (zone: string) => {
    const lengths = new Set<number>();
    let due = periodAt('weekly', new Date('2026-01-01T00:00:00Z'), zone).due;
    while (due < new Date('2027-01-10T00:00:00Z')) {
      expect(clockIn(zone, due), zone).toBe('Mon 09:00');
      const next = periodAt('weekly', due, zone).due;
      lengths.add((next.getTime() - due.getTime()) / hour);
      due = next;
    }
    return [...lengths].sort();
  };
  expect(weeksOf('America/New_York')).toEqual([167, 168, 169]);
  expect(weeksOf('Australia/Lord_Howe')).toEqual([167.5, 168, 168.5]);
  expect(weeksOf('Asia/Kathmandu')).toEqual([168]);
});

test('a monthly digest is due on the 1st, in the zone of the account', () => {
  const { name, due } = periodAt('monthly', new Date('2026-11-01T13:59:59.999Z'), 'America/New_York');
  expect([name, due.toISOString()]).toEqual(['2026-11-01', '2026-11-01T14:00:00.000Z']);
  expect(periodAt('monthly', due, 'America/New_York').name).toBe('2026-12-01');
  expect(dueOf('monthly', name, 'Asia/Kathmandu').toISOString()).toBe('2026-11-01T03:15:00.000Z');
});
