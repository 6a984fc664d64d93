import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coercionOf } from '../../infra/build/derived.ts';
import { coerced } from '../../shared/endpoints/coercion.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { asInstant } from '../../shared/instant.ts';
import {
  array,
  boolean,
  dateTime,
  integer,
  mapOf,
  nullable,
  number,
  object,
  optional,
  string,
  type TSchema,
} from '../../shared/schema.ts';
import { call } from '../harness/call.ts';

const inQuery = (value: unknown, schema: TSchema) => coerced(value, coercionOf(schema, true));
const inBody = (value: unknown, schema: TSchema) => coerced(value, coercionOf(schema, false));

test('in a path or query, an integer is parsed only from its plain decimal notation', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (id) => {
      expect(inQuery(String(id), integer())).toBe(id);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = inQuery(text, integer());
      expect(String(read)).toBe(text);
    }),
  );
});

test('values in a path or query are converted to the types in their schemas', () => {
  const Query = object({
    share: number(),
    open: boolean(),
    ids: array(integer()),
    names: array(string()),
    name: string(),
    since: dateTime(),
  });
  const given = {
    share: '-0.50',
    open: 'false',
    ids: '7',
    names: 'true',
    name: '12',
    since: '2026-03-01T10:30:00+01:00',
    constructor: '1',
  };
  expect(inQuery(given, Query)).toEqual({
    share: -0.5,
    open: false,
    ids: [7],
    names: ['true'],
    name: '12',
    since: '2026-03-01T09:30:00.000Z',
    constructor: '1',
  });
  for (const text of ['1e3', '.5', '5.', '0x1', '1,5', 'Infinity', '0.1000000000000000055'])
    expect(inQuery(text, number()), text).toBe(text);
  for (const text of ['TRUE', '1', 'yes', '']) expect(inQuery(text, boolean()), text).toBe(text);
});

test('in a body, only date-times are converted', () => {
  const Body = object({
    at: nullable(dateTime()),
    steps: array(object({ due: dateTime(), name: string() })),
    byName: mapOf(dateTime()),
    count: integer(),
  });
  const written = '2026-03-01T10:30:00+01:00';
  const stored = '2026-03-01T09:30:00.000Z';
  const body = { at: written, steps: [{ due: written, name: written }], byName: { a: written }, count: '7' };
  expect(inBody(body, Body)).toEqual({
    at: stored,
    steps: [{ due: stored, name: written }],
    byName: { a: stored },
    count: '7',
  });
  for (const other of [
    null,
    'text',
    [written],
    { at: null, steps: written, byName: [written] },
    { at: 'soon' },
  ])
    expect(inBody(structuredClone(other), Body)).toEqual(other);
  expect(coercionOf(object({ name: string() }), false)).toBeUndefined();
});

test('a filter value in any time zone matches records with the same instant', async () => {
  const Item = object({ id: integer(), at: optional(dateTime()) });
  const items = [{ id: 2, at: '2026-03-01T09:30:00.000Z' }, { id: 1 }];
  const endpoint = listing(
    {
      path: '/moments',
      access: 'public',
      item: Item,
      fields: { at: ['filter'] },
      summary: 'List',
    },
    () => ({ newest: async () => ({ items }), total: async () => items.length, show: async (page) => page }),
  );
  for (const at of ['2026-03-01T18:30:00+09:00', '2026-03-01T09:30'])
    expect((await call(endpoint, { query: { at } })).body).toMatchObject({
      data: [{ id: 2 }],
      totalCount: 1,
    });
  const leap = await call(endpoint, { query: { at: '2026-06-30T23:59:60Z' } });
  expect(leap.body).toMatchObject({ status: 400, error: 'invalid_input' });
});

const instant = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
});
const two = (number: number): string => String(number).padStart(2, '0');

describe('a date-time', () => {
  test('a date-time with any UTC offset is converted to the same instant in UTC', () => {
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

  test('a date-time may omit seconds, have more than three decimals, and use lower-case letters', () => {
    expect(asInstant('2026-03-01T10:30+01:00')).toBe('2026-03-01T09:30:00.000Z');
    expect(asInstant('2026-03-01t09:30:00.1239z')).toBe('2026-03-01T09:30:00.123Z');
    expect(asInstant('2028-02-29T00:00:00.5Z')).toBe('2028-02-29T00:00:00.500Z');
    expect(asInstant('2026-03-01T09:30:00-00:00')).toBe('2026-03-01T09:30:00.000Z');
  });

  test('a date, or a date-time without a time zone, is read as UTC', () => {
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

  test('a date-time is rejected if its date or time is invalid or its year has five digits', () => {
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
