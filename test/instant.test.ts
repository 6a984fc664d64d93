import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asInstant } from '../shared/instant.ts';

const instant = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
});
const two = (number: number): string => String(number).padStart(2, '0');

describe('a date-time', () => {
  test('a date-time is the same instant in any time zone', () => {
    const zone = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    fc.assert(
      fc.property(instant, zone, (when, minutes) => {
        const local = new Date(when.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(minutes);
        const told = `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        expect(asInstant(told)).toBe(when.toISOString());
        expect(asInstant(when.toISOString())).toBe(when.toISOString());
      }),
    );
  });

  test('a date-time may omit seconds, have more than milliseconds, and use lower case', () => {
    expect(asInstant('2026-03-01T10:30+01:00')).toBe('2026-03-01T09:30:00.000Z');
    expect(asInstant('2026-03-01t09:30:00.1239z')).toBe('2026-03-01T09:30:00.123Z');
    expect(asInstant('2028-02-29T00:00:00.5Z')).toBe('2028-02-29T00:00:00.500Z');
    expect(asInstant('2026-03-01T09:30:00-00:00')).toBe('2026-03-01T09:30:00.000Z');
  });

  test('a date and a date-time without a zone are UTC', () => {
    expect(asInstant('2026-03-01')).toBe('2026-03-01T00:00:00.000Z');
    expect(asInstant('2026-03-01T09:30')).toBe('2026-03-01T09:30:00.000Z');
    expect(asInstant('2026-03-01T09:30:00.5')).toBe('2026-03-01T09:30:00.500Z');
    fc.assert(
      fc.property(instant, (when) => {
        const text = when.toISOString();
        expect(asInstant(text.slice(0, -1))).toBe(text);
        expect(asInstant(text.slice(0, 10))).toBe(`${text.slice(0, 10)}T00:00:00.000Z`);
      }),
    );
  });

  test('a date-time with an invalid date or time, or a year of five digits, is rejected', () => {
    for (const text of [
      '2026-03-01T',
      '2026-03-01Z',
      '2026-03-01+01:00',
      '2026-02-29',
      '2026-3-1',
      '20260301',
      '2026-03-01T09',
      '2026-03-01 09:30:00Z',
      '2026-02-29T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-00-10T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '2026-06-30T23:59:60Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T10:60:00Z',
      '2026-01-01T10:00:00+24:00',
      '2026-01-01T10:00:00+01',
      '9999-12-31T23:59:59-01:00',
      '0000-01-01T00:00:00+01:00',
      '+002026-01-01T00:00:00Z',
      'soon',
      '',
    ])
      expect(asInstant(text), text).toBeUndefined();
  });
});
