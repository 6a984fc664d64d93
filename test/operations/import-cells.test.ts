import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertCell } from '../../infra/operations/import/convert-cell.ts';
import { readDate, readDateTime } from '../../infra/operations/import/read-date.ts';
import { readNumber } from '../../infra/operations/import/read-number.ts';

describe('numbers', () => {
  test.each([
    ['25000', 25_000],
    ['-3', -3],
    ['$1,234.50', 1234.5],
    ['1,234,567', 1_234_567],
    ['12.5', 12.5],
    ['0.500', 0.5],
    ['1234.500', 1234.5],
    ['25 000', 25_000],
    ['25\u202f000.50', 25_000.5],
    ['25’000.50', 25_000.5],
  ])('%s is the number %d', (text, value) => {
    expect(readNumber(text)).toEqual({ value });
  });

  test.each([
    ['25.000', '25 or 25000'],
    ['1,234', '1234 or 1.234'],
    ['$1,000', '1000 or 1'],
    ['-1.234', '-1.234 or -1234'],
  ])('%s can mean %s, so it needs --decimal', (text, readings) => {
    expect(readNumber(text)).toEqual({
      message: `"${text}" can mean ${readings}: add --decimal point or --decimal comma`,
    });
  });

  test.each(['1.234,56', '25,5', '25 000,50'])('the decimal comma of %s needs --decimal comma', (text) => {
    expect(readNumber(text)).toEqual({
      message: expect.stringContaining('so add --decimal comma to read '),
    });
    expect(readNumber(text, 'comma')).toEqual({ value: expect.any(Number) });
    expect(readNumber(text, 'point')).toEqual({ message: expect.stringContaining('--decimal is point') });
  });

  test.each(['007', '1.23457E+11', '1,23,456', '1.2.3', 'many', '12%', ''])('%s is not a number', (text) => {
    for (const separator of [undefined, 'point', 'comma'] as const)
      expect(readNumber(text, separator)).toBeUndefined();
  });

  test('a formatted number is read with its separator, and is never another number without it', () => {
    const amount = fc.tuple(
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      fc.integer({ min: 0, max: 3 }),
    );
    fc.assert(
      fc.property(amount, fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'de-CH'), ([digits, places], locale) => {
        const value = digits / 10 ** places;
        const text = value.toLocaleString(locale, { minimumFractionDigits: places }).replace('−', '-');
        const isComma = locale === 'de-DE' || locale === 'fr-FR';
        expect(readNumber(text, isComma ? 'comma' : 'point')).toEqual({ value });
        const unaided = readNumber(text);
        expect(unaided && 'value' in unaided ? unaided.value : value).toBe(value);
      }),
    );
  });
});

test('a number that a spreadsheet shortened is refused in every text field', async () => {
  const read = (text: string) => convertCell(text, 'accountNumber', { type: 'string' }, { zone });
  expect(await read('1.23457E+11')).toEqual({ message: expect.stringContaining('is a shortened number') });
  expect(await read('1,23457E+11')).toEqual({ message: expect.stringContaining('is a shortened number') });
  expect(await read('000123456789')).toEqual({ value: '000123456789' });
});

const zone = async () => ({ value: 'America/New_York' });

describe('dates', () => {
  test.each([
    ['2026-03-01', '2026-03-01'],
    ['2026/3/1', '2026-03-01'],
    ['12/25/2026', '2026-12-25'],
    ['25.12.2026', '2026-12-25'],
    ['3/3/2026 0:00', '2026-03-03'],
    ['46082', '2026-03-01'],
  ])('%s is the day %s', (text, value) => {
    expect(readDate(text, {})).toEqual({ value });
  });

  test.each([
    ['3/1/2026', '2026-03-01', '2026-01-03'],
    ['01.03.2026', '2026-01-03', '2026-03-01'],
    ['1-3-2026', '2026-01-03', '2026-03-01'],
  ])('%s needs --dates', (text, mdy, dmy) => {
    expect(readDate(text, {})).toEqual({
      message: `"${text}" can mean ${mdy} or ${dmy}: add --dates mdy or --dates dmy`,
    });
    expect(readDate(text, { dates: 'mdy' })).toEqual({ value: mdy });
    expect(readDate(text, { dates: 'dmy' })).toEqual({ value: dmy });
    expect(readDate(text, { dates: 'ymd' })).toEqual({ message: `"${text}" is not in the order ymd` });
  });

  test.each(['2026-02-30', '30.02.2026', '2026', '202603', '2026-03-01 09:30', 'March'])(
    '%s is not a date',
    (text) => {
      for (const dates of [undefined, 'mdy', 'dmy', 'ymd'] as const)
        expect(readDate(text, { dates })).toBeUndefined();
    },
  );

  test('a year of two digits is refused', () => {
    expect(readDate('3/1/26', { dates: 'mdy' })).toEqual({ message: expect.stringContaining('two digits') });
  });

  test('a date of birth, which is stored as text, is read like other dates', async () => {
    const read = (text: string) =>
      convertCell(text, 'dateOfBirth', { type: 'string' }, { zone, dates: 'dmy' });
    expect(await read('10.12.1985')).toEqual({ value: '1985-12-10' });
    expect(await read('unknown')).toEqual({ value: 'unknown' });
  });
});

describe('date-times', () => {
  test.each([
    ['2026-03-01 09:30', '2026-03-01T14:30:00.000Z'],
    ['2026-03-01T09:30', '2026-03-01T14:30:00.000Z'],
    ['2026-07-01', '2026-07-01T04:00:00.000Z'],
    ['2026-03-01T09:30:15.250Z', '2026-03-01T09:30:15.250Z'],
    ['2026-03-01 09:30 UTC', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01 09:30 +0100', '2026-03-01T08:30:00.000Z'],
    ['3/13/2026, 9:30 PM', '2026-03-14T01:30:00.000Z'],
    ['3/13/2026 12:05 am', '2026-03-13T04:05:00.000Z'],
    ['46082.395833', '2026-03-01T14:30:00.000Z'],
  ])('%s in New York is %s', async (text, value) => {
    expect(await readDateTime(text, { zone })).toEqual({ value });
  });

  test.each(['2026-03-01 24:00', '2026-03-01 13:00 PM', '2026-03-01 9h', '2026-13-01 09:30', '1772357400'])(
    '%s is not a date-time',
    async (text) => {
      expect(await readDateTime(text, { zone })).toBeUndefined();
    },
  );

  test('a time without an offset is refused if there is no time zone, and other times are accepted', async () => {
    const none = { zone: async () => ({ message: 'Add --zone' }) };
    expect(await readDateTime('2026-03-01 09:30', none)).toEqual({
      message: '"2026-03-01 09:30" has no time zone. Add --zone',
    });
    expect(await readDateTime('2026-03-01 09:30Z', none)).toEqual({ value: '2026-03-01T09:30:00.000Z' });
  });

  test('an instant that is written in the local time of a zone is read as the same instant', async () => {
    const minute = fc.integer({ min: Date.UTC(1990, 0) / 60_000, max: Date.UTC(2060, 0) / 60_000 });
    const zones = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe');
    await fc.assert(
      fc.asyncProperty(minute, zones, async (minutes, timeZone) => {
        const written = (instant: number) =>
          new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(
            instant,
          );
        const text = written(minutes * 60_000);
        const read = await readDateTime(text, { zone: async () => ({ value: timeZone }) });
        expect(read && 'value' in read && written(Date.parse(read.value))).toBe(text);
      }),
    );
  });
});
