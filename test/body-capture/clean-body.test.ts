import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanBody, sensitiveValuesIn } from '../../shared/body-capture/clean-body.ts';
import { cleanText, newCleaning } from '../../shared/body-capture/clean-text.ts';
import { firstBytes } from '../../shared/body-capture/stored-bodies.ts';
import type { Shape } from '../../shared/endpoints/shape.ts';
import { uniqueIdOf } from '../../shared/id/unique-id.ts';
import { mintApiKey } from '../../shared/security/key-secrets.ts';
import { withCheckDigit } from './secrets.ts';

const REDACTED = 'REDACTED';

describe('a body', () => {
  const shape: Shape = {
    fields: {
      name: 'value',
      notes: 'value',
      ssn: 'sensitive',
      secretOf: 'credential',
      password: 'value',
      owners: { items: { fields: { name: 'value', license: 'sensitive' } } },
      meta: 'open',
      byName: { values: 'value' },
    },
  };

  test('keeps the fields of the shape, and drops other fields at every depth', () => {
    const body = { name: 'Ada', unknown: 'x', owners: [{ name: 'Grace', other: 1 }], byName: { a: 'b' } };
    expect(cleanBody(body, shape)).toEqual({ name: 'Ada', owners: [{ name: 'Grace' }], byName: { a: 'b' } });
    expect(cleanBody({ name: { inner: 'x' }, owners: 'x', byName: ['x'] }, shape)).toEqual({ owners: 'x' });
    expect(cleanBody([1, 'x'], { items: 'value' })).toEqual([1, 'x']);
  });

  test('contains REDACTED in place of sensitive fields, credentials, and fields with a sensitive name', () => {
    const meta = {
      apiKey: 'k',
      nested: { Password: 'p', list: [{ client_secret: 's' }] },
      ok: 'fine',
      cvv: 123,
    };
    expect(
      cleanBody({ ssn: '321', secretOf: 's', password: 'hunter2', owners: [{ license: 'D1' }], meta }, shape),
    ).toEqual({
      ssn: REDACTED,
      secretOf: REDACTED,
      password: REDACTED,
      owners: [{ license: REDACTED }],
      meta: {
        apiKey: REDACTED,
        nested: { Password: REDACTED, list: [{ client_secret: REDACTED }] },
        ok: 'fine',
        cvv: REDACTED,
      },
    });
  });

  test('contains a sensitive value in no other field, with or without separators', () => {
    const body = {
      notes: 'License D123-4567, or D1234567. Password hunter2hunter2.',
      meta: { copy: 'D123-4567', number: 77_441 },
      owners: [{ license: 'D123-4567' }, { license: '77441' }],
      password: 'hunter2hunter2',
    };
    const known = sensitiveValuesIn(body, shape);
    const text = JSON.stringify(cleanBody(body, shape, newCleaning(known)));
    expect(known.sort()).toEqual(['77441', 'D123-4567', 'hunter2hunter2']);
    expect(text).not.toMatch(/D123|4567|77441|hunter2/);
  });

  test('keeps, in an object with any fields, only values with an allowed form', () => {
    const kept = {
      shop: 'harbor-street',
      name: "Ada's Coffee & Cake, Harbor Street",
      size: '3 terminals',
      mcc: '5814',
      opened: '2019-04-01',
      changedAt: '2026-03-01T09:30:00.000Z',
      rate: '2.75%',
      phone: '+1 415 555 0134',
      contact: 'ada@example.com',
      website: 'https://example.com/harbor-street',
      application: 'app_65YB3N0G2M1',
      lead: 214563398120449,
      leadText: '214563398120449',
      request: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      volume: 25_000.5,
      isOpen: true,
      nothing: null,
      list: ['coffee', { tea: 'green' }],
    };
    expect(cleanBody({ meta: kept }, shape)).toEqual({ meta: kept });
    const removed = {
      reference: 'hunter2',
      code: 'Xk29-Lm31',
      note: 'x'.repeat(201),
      born: '4111 1111 1111',
      long: '123456789012',
      number: 123_456_789_012,
      hash: 'a'.repeat(64),
      symbols: 'p@ss!w0rd',
      url: 'https://example.com/3f2504e04f8941d39a0c',
      list: ['Zx81Zx81', { deep: 'q1w2e3r4' }],
    };
    const clean = cleanBody({ meta: removed }, shape);
    expect(JSON.stringify(clean).match(/REDACTED/g)).toHaveLength(11);
    expect(JSON.stringify(clean)).not.toMatch(/hunter2|Xk29|xxx|4111|1234|aaaa|p@ss|3f25|Zx81|q1w2/);
  });

  test('keeps the ids of records in its fields, even if an id looks like the number of a card', () => {
    // An id from August 2027 that begins like a number of American Express, and has a valid check digit.
    const id = Number(withCheckDigit('34127654321987'));
    const body = {
      id,
      leadId: String(id),
      externalId: String(id),
      notes: String(id),
      assignedTo: String(id),
    };
    const fields = Object.fromEntries(Object.keys(body).map((name) => [name, 'value' as const]));
    const cleanAt = (day: string) => cleanBody(body, { fields }, newCleaning([], new Date(day)));
    const hidden = { externalId: REDACTED, notes: REDACTED };
    expect(cleanAt('2028-01-01')).toEqual({ ...body, ...hidden });
    expect(cleanAt('2026-01-01')).toEqual({
      ...hidden,
      id: REDACTED,
      leadId: REDACTED,
      assignedTo: REDACTED,
    });
  });

  test('REDACTED and short values are not searched for in other fields', () => {
    expect(sensitiveValuesIn({ ssn: REDACTED, owners: [{ license: 'A1' }] }, shape)).toEqual([]);
  });
});

describe('a text', () => {
  test.each([
    'My number is 321-54-9876.',
    'SSN 321 54 9876',
    'It is 321549876!',
    'ssn_321549876',
    'EIN 12-3456789',
    'Card 4111 1111 1111 1111 was declined',
    'card:5500005555555559',
    'amex 3782-822463-10005',
    'IBAN DE89 3704 0044 0532 0130 00',
    'account number: 000123456',
    'Routing no. 110000000',
    'my password is correct-horse',
    'Authorization: Bearer abc.def-ghi_jkl',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    'mo_ak_3K9x0Zb7Q2mW5tYv8nRc',
  ])('loses a part with the form of a sensitive value: %s', (text) => {
    const clean = cleanText(text);
    expect(clean).toContain(REDACTED);
    expect(clean).not.toMatch(/\d{4}|correct|abc\.def|hbGci|C2FVs|3K9x/);
  });

  test.each([
    'Harbor Street Coffee',
    '214563398120449',
    '244650025204944',
    '+49 1512 3456785',
    '+34 612345678',
    '192.168.100.200:8443',
    'INV-000042, INV-000043 and INV-000044',
    'cus_Nf8u321549876',
    'The secret ingredient, the token price: 5 USD',
    'She is the owner: ask her for the key to the door.',
    '+1 415 555 0134',
    '2026-03-01T09:30:00.000Z',
    '12345-6789',
    'TKT-000001',
    'app_65YB3N0G2M1',
    mintApiKey('acme' as never, 214563398120449),
    'https://example.com/harbor-street',
  ])('keeps ids, dates, telephone numbers and names: %s', (text) => {
    expect(cleanText(text)).toBe(text);
  });

  test('keeps every generated id, even if it contains nine digits in a row', () => {
    /** Hexadecimal digits with nine decimal digits in a row at any place. */
    const hex = (length: number) =>
      fc.tuple(fc.integer({ min: 0, max: 999_999_999 }), fc.nat({ max: length - 9 })).map(([number, at]) =>
        String(number)
          .padStart(9, '0')
          .padStart(9 + at, 'a')
          .padEnd(length, 'b'),
      );
    const id = fc.oneof(
      fc.integer({ min: 1, max: 2 ** 53 - 1 }).map((number) => uniqueIdOf('tkt', number)),
      hex(16).map((digits) => `acc_${digits}`),
      hex(16).map((digits) => mintApiKey(`acc_${digits}` as never, 214563398120449)),
      hex(32).map((digits) => `bulk_${digits}`),
      hex(32).map((digits) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')),
      hex(64),
    );
    fc.assert(
      fc.property(id, (text) => {
        expect(cleanText(`Call ${text}, please.`)).toBe(`Call ${text}, please.`);
      }),
    );
  });

  test('keeps the address of a URL, but not its query, fragment or user', () => {
    expect(cleanText('see https://user:pw@example.com/a?token=1#b now')).toBe(
      'see https://REDACTED@example.com/a?REDACTED now',
    );
  });

  test('never contains a known value', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!REDACTED.includes(value) && !`${before}${REDACTED}${after}`.includes(value));
        expect(cleanText(`${before}${value}${after}`, newCleaning([value]))).not.toContain(value);
      }),
    );
  });
});

test('a captured text has at most 64 KB, and no character is split', () => {
  expect(firstBytes('x'.repeat(65_536))).toEqual({ text: 'x'.repeat(65_536), truncated: false });
  const { text, truncated } = firstBytes(`${'x'.repeat(65_535)}é`);
  expect([text.length, truncated, text.endsWith('x')]).toEqual([65_535, true, true]);
});

test('the value of an operation is removed if its path names a sensitive value', () => {
  const operation = (path: string) => ({ op: 'replace', path, value: 'Sunshine' });
  const [hidden, shown] = [operation('password'), operation('displayName')];
  expect(cleanBody({ Operations: [hidden, shown] }, 'open')).toEqual({
    Operations: [{ ...hidden, value: 'REDACTED' }, shown],
  });
});
