import { describe, expect, test } from 'vitest';
import { daysAfter } from '../../../shared/instant.ts';
import { isBankingDay, nextBankingDay } from '../../../shared/residuals/nacha/banking-days.ts';

/** The days from Monday to Friday on which the Federal Reserve Banks are closed (federalreserve.gov/aboutthefed/k8.htm). */
const closed: Readonly<Record<number, readonly string[]>> = {
  2026: ['01-01', '01-19', '02-16', '05-25', '06-19', '09-07', '10-12', '11-11', '11-26', '12-25'],
  2027: ['01-01', '01-18', '02-15', '05-31', '07-05', '09-06', '10-11', '11-11', '11-25'],
  2028: ['01-17', '02-21', '05-29', '06-19', '07-04', '09-04', '10-09', '11-23', '12-25'],
  2029: ['01-01', '01-15', '02-19', '05-28', '06-19', '07-04', '09-03', '10-08', '11-12', '11-22', '12-25'],
};

const daysOf = (year: number): string[] =>
  Array.from({ length: 366 }, (_, n) => daysAfter(`${year}-01-01`, n)).filter((day) =>
    day.startsWith(String(year)),
  );

const isWeekend = (day: string): boolean => [0, 6].includes(new Date(day).getUTCDay());

describe('banking days', () => {
  test.each(Object.entries(closed))(
    'in %s, the banks are closed on weekends and on these holidays',
    (year, days) => {
      const found = daysOf(Number(year)).filter((day) => !isWeekend(day) && !isBankingDay(day));
      expect(found).toEqual(days.map((day) => `${year}-${day}`));
      expect(daysOf(Number(year)).filter(isWeekend).some(isBankingDay)).toBe(false);
    },
  );

  test('a holiday on a Saturday does not close the banks on Friday', () => {
    expect(isBankingDay('2026-07-03')).toBe(true);
    expect(isBankingDay('2027-12-24')).toBe(true);
    expect(isBankingDay('2027-12-31')).toBe(true);
  });

  test('the next banking day skips weekends and holidays', () => {
    expect(nextBankingDay('2026-11-24')).toBe('2026-11-25');
    expect(nextBankingDay('2026-11-25')).toBe('2026-11-27');
    expect(nextBankingDay('2027-07-02')).toBe('2027-07-06');
    expect(nextBankingDay('2026-12-24')).toBe('2026-12-28');
  });
});
