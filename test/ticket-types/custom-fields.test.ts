import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import { type CustomFields, checkCustomFields } from '../../shared/support/ticket-types/custom-fields.ts';
import { defineFields, typesOfKeys } from '../../shared/support/ticket-types/define-fields.ts';
import {
  type CustomField,
  type CustomFieldInput,
  type CustomFieldType,
  customFieldTypes,
} from '../../shared/support/ticket-types/schema.ts';

const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
const choosing = (type: CustomFieldType) => (type.includes('select') ? { options } : {});
const field = (type: CustomFieldType, more: Partial<CustomFieldInput> = {}): CustomField => {
  const [defined] = defineFields([{ key: 'field', label: 'Field', type, ...choosing(type), ...more }]);
  if (!defined) throw new Error('There is no field.');
  return defined;
};
/** Returns the code and the faulty fields of the ApiError that a call throws. */
function thrownBy(run: () => unknown): { code: string; fields: string[] } | undefined {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, fields: error.details?.map((one) => one.field) ?? [] };
  }
  return undefined;
}

type Row = [type: CustomFieldType, limits: Partial<CustomFieldInput>, valid: unknown[], invalid: unknown[]];

/** For each type, valid values and invalid values. */
const rows: Row[] = [
  [
    'text',
    {},
    ['x', ' x ', 'ä'.repeat(1000), '🚀'.repeat(1000)],
    ['', '  ', 1, true, [], {}, 'x'.repeat(1001)],
  ],
  ['text', { maxLength: 3 }, ['abc', '🚀🚀🚀'], ['abcd', '🚀🚀🚀🚀', 'x'.repeat(200_000)]],
  ['long_text', {}, ['line\nline', 'x'.repeat(10_000)], ['', 1, 'x'.repeat(10_001)]],
  ['long_text', { maxLength: 2000 }, ['x'.repeat(2000)], ['x'.repeat(2001)]],
  ['integer', {}, [0, -7, Number.MAX_SAFE_INTEGER], ['1', 1.5, 2 ** 53, true, [1], '']],
  ['integer', { min: -2, max: 2 }, [-2, 0, 2], [-3, 3]],
  ['decimal', {}, [0, 1, -1.25, 1e-9], ['1.5', Number.NaN, Number.POSITIVE_INFINITY, false]],
  ['decimal', { min: 0.5, max: 1.5 }, [0.5, 1, 1.5], [0.49, 1.51]],
  ['boolean', {}, [true, false], ['true', 0, 1, '']],
  [
    'date',
    {},
    ['2024-02-29', '2026-12-31'],
    ['2026-02-29', '2026-13-01', '2026-3-1', '20260301', 20260301, ''],
  ],
  [
    'date',
    { min: '2026-01-01', max: '2026-12-31' },
    ['2026-01-01', '2026-12-31'],
    ['2025-12-31', '2027-01-01'],
  ],
  ['select', {}, ['a', 'b'], ['c', 'A', '', ['a'], 1, 'toString']],
  ['multi_select', {}, [['a'], ['b', 'a'], []], ['a', ['c'], ['a', 'a'], ['a', 1], [null], {}]],
  ['multi_select', { required: true }, [['a']], [[]]],
  [
    'email',
    {},
    ['ada@example.com', 'a.b+c@x.co.uk'],
    ['ada', 'ada@', '@x.com', 'a b@x.com', 'ada@localhost', 1, ''],
  ],
  ['email', { maxLength: 16 }, ['ada@example.com'], ['adam@example.comm', `${'a'.repeat(250)}@x.com`]],
  [
    'phone',
    {},
    ['+1 415 555 0134', '(415) 555-0134 x12', '112 33'],
    ['call me', '1234', '+', '415_555_0134', 4155550134, ''],
  ],
  [
    'url',
    {},
    ['https://example.com/a?b=c#d', 'http://x.test:8080'],
    ['example.com', 'ftp://x.com', 'javascript:alert(1)', 'https://', 'https://a b', 1, ''],
  ],
];

describe('a value of each type', () => {
  test('the table covers every type', () => {
    expect(new Set([...rows.map(([type]) => type), 'date_time'])).toEqual(new Set(customFieldTypes));
  });

  test.each(rows)(
    'valid values of %s %o are stored as sent, and invalid values are reported by key',
    (type, limits, valid, invalid) => {
      const definitions = [field(type, limits)];
      for (const stored of [undefined, {}]) {
        for (const value of valid)
          expect(checkCustomFields(definitions, { field: value }, stored)).toEqual({ field: value });
        for (const value of invalid)
          expect(
            thrownBy(() => checkCustomFields(definitions, { field: value }, stored)),
            JSON.stringify(value),
          ).toEqual({ code: 'invalid_input', fields: ['customFields.field'] });
      }
    },
  );

  test('a date-time in any input format is stored in UTC with milliseconds, and is limited by min and max', () => {
    const definitions = [field('date_time', { min: '2026-03-01T10:00+01:00', max: '2026-03-02T00:00:00Z' })];
    expect(definitions).toMatchObject([{ min: '2026-03-01T09:00:00.000Z', max: '2026-03-02T00:00:00.000Z' }]);
    for (const [sent, kept] of [
      ['2026-03-01T10:00:00+01:00', '2026-03-01T09:00:00.000Z'],
      ['2026-03-01T23:59:59.9999Z', '2026-03-01T23:59:59.999Z'],
      ['2026-03-01T19:00-05:00', '2026-03-02T00:00:00.000Z'],
      ['2026-03-01T10:00', '2026-03-01T10:00:00.000Z'],
      ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ])
      expect(checkCustomFields(definitions, { field: sent }, undefined)).toEqual({ field: kept });
    for (const wrong of [
      '2026-03-01',
      '2026-02-30',
      '2026-03-01T08:59:59Z',
      '2026-03-01T19:00:01-05:00',
      1,
      '',
    ])
      expect(thrownBy(() => checkCustomFields(definitions, { field: wrong }, undefined))?.fields).toEqual([
        'customFields.field',
      ]);
  });
});

describe('custom fields of a new ticket', () => {
  const definitions = defineFields([
    { key: 'model', label: 'Model', type: 'text', required: true },
    { key: 'urgent', label: 'Urgent', type: 'boolean', default: false },
    { key: 'seen', label: 'Seen', type: 'date_time', required: true, default: '2026-01-01T01:00+01:00' },
    { key: 'note', label: 'Note', type: 'text' },
  ]);

  test('a new ticket gets the defaults of the fields that it does not send', () => {
    expect(checkCustomFields(definitions, { model: 'X1' }, undefined)).toEqual({
      model: 'X1',
      urgent: false,
      seen: '2026-01-01T00:00:00.000Z',
    });
    expect(checkCustomFields(definitions, { model: 'X1', urgent: true, note: 'n' }, undefined)).toMatchObject(
      { urgent: true, note: 'n' },
    );
  });

  test('a new ticket needs a value for each required field, and null is not a value', () => {
    const missing = { code: 'invalid_input', fields: ['customFields.model'] };
    expect(thrownBy(() => checkCustomFields(definitions, {}, undefined))).toEqual(missing);
    expect(thrownBy(() => checkCustomFields(definitions, { model: null }, undefined))).toEqual(missing);
    expect(
      thrownBy(() => checkCustomFields(definitions, { model: 'x', seen: null }, undefined))?.fields,
    ).toEqual(['customFields.seen']);
  });

  test('all invalid and unknown keys are reported together', () => {
    const sent = { model: 1, urgent: 'yes', other: 1, toString: 1, hasOwnProperty: null };
    expect(thrownBy(() => checkCustomFields(definitions, sent, undefined))).toEqual({
      code: 'invalid_input',
      fields: ['model', 'urgent', 'other', 'toString', 'hasOwnProperty'].map((key) => `customFields.${key}`),
    });
  });

  test('a key may be the name of an object method, such as toString', () => {
    const own = defineFields([{ key: 'toString', label: 'x', type: 'text', required: true }]);
    expect(thrownBy(() => checkCustomFields(own, {}, undefined))?.fields).toEqual(['customFields.toString']);
    expect(checkCustomFields(own, { toString: 'x' }, undefined)).toEqual({ toString: 'x' });
    expect(checkCustomFields(own, { toString: 'y' }, { toString: 'x' })).toEqual({ toString: 'y' });
  });
});

describe('custom fields of a ticket that is changed', () => {
  const definitions = defineFields([
    { key: 'model', label: 'Model', type: 'text', required: true },
    { key: 'serial', label: 'Serial', type: 'integer' },
    { key: 'wanted', label: 'Wanted', type: 'text', required: true, default: 'x' },
  ]);

  test('sent fields are merged by key, and null clears a field', () => {
    expect(checkCustomFields(definitions, { serial: 2 }, { model: 'X1', serial: 1 })).toEqual({
      model: 'X1',
      serial: 2,
    });
    expect(checkCustomFields(definitions, { serial: null }, { model: 'X1', serial: 1 })).toEqual({
      model: 'X1',
    });
    expect(checkCustomFields(definitions, { serial: null }, { model: 'X1' })).toEqual({ model: 'X1' });
  });

  test('a required field cannot be cleared, but may be missing on an existing ticket', () => {
    expect(thrownBy(() => checkCustomFields(definitions, { model: null }, { model: 'X1' }))?.fields).toEqual([
      'customFields.model',
    ]);
    expect(checkCustomFields(definitions, { serial: 1 }, {})).toEqual({ serial: 1 });
  });

  test('a stored value that is no longer valid may be sent unchanged, and null clears it', () => {
    const stored = { model: 17, taken: ['out'], serial: 'not a number' };
    expect(checkCustomFields(definitions, {}, stored)).toEqual(stored);
    expect(checkCustomFields(definitions, { serial: 3 }, stored)).toEqual({ ...stored, serial: 3 });
    expect(checkCustomFields(definitions, { taken: null }, stored)).toEqual({
      model: 17,
      serial: 'not a number',
    });
    expect(checkCustomFields(definitions, { taken: ['out'] }, stored)).toEqual(stored);
    expect(thrownBy(() => checkCustomFields(definitions, { taken: ['lost'] }, stored))?.fields).toEqual([
      'customFields.taken',
    ]);
  });

  test('a ticket of a deleted type keeps its values and accepts no new values', () => {
    const stored = { model: 'X1' };
    expect(checkCustomFields([], {}, stored)).toEqual(stored);
    for (const sent of [{ model: 'X2' }, { other: 1 }, { other: null }])
      expect(thrownBy(() => checkCustomFields([], sent, stored))?.fields).toEqual(
        Object.keys(sent).map((key) => `customFields.${key}`),
      );
  });

  test('the stored and sent objects are not modified', () => {
    const value: fc.Arbitrary<unknown> = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const fields = fc.dictionary(fc.constantFrom('model', 'serial', 'wanted', 'other', 'toString'), value);
    fc.assert(
      fc.property(fields, fields, (sent, stored) => {
        const before = JSON.stringify([sent, stored]);
        let after: CustomFields = stored;
        thrownBy(() => {
          after = checkCustomFields(definitions, sent, stored);
        });
        expect(JSON.stringify([sent, stored])).toBe(before);
        for (const key of Object.keys(stored))
          if (!Object.hasOwn(sent, key)) expect(after[key]).toBe(stored[key]);
      }),
    );
  });

  test('the custom fields of a ticket have at most 32 KB in total', () => {
    const long = defineFields(
      ['a', 'b', 'c', 'd'].map((key) => ({ key, label: key, type: 'long_text' as const })),
    );
    const text = 'x'.repeat(10_000);
    const stored = checkCustomFields(long, { a: text, b: text, c: text }, undefined);
    expect(thrownBy(() => checkCustomFields(long, { d: text }, stored))?.fields).toEqual(['customFields.d']);
    expect(checkCustomFields(long, { a: null, d: text }, stored)).toEqual({ b: text, c: text, d: text });
  });
});

describe('a definition', () => {
  const base = { key: 'field', label: 'Field' };
  const faulty: [what: string, fault: string, sent: object][] = [
    ['a duplicate key', 'customFields[1].key', [{ type: 'text' }, { type: 'text' }]],
    ['the key constructor', 'customFields[0].key', [{ key: 'constructor', type: 'text' }]],
    ['the key prototype', 'customFields[0].key', [{ key: 'prototype', type: 'text' }]],
    ['a select without options', 'customFields[0].options', [{ type: 'select' }]],
    ['a multi_select without options', 'customFields[0].options', [{ type: 'multi_select' }]],
    ['options of a text', 'customFields[0].options', [{ type: 'text', options }]],
    ['an option twice', 'customFields[0].options', [{ type: 'select', options: [...options, ...options] }]],
    ['min of a text', 'customFields[0].min', [{ type: 'text', min: 1 }]],
    ['max of a boolean', 'customFields[0].max', [{ type: 'boolean', max: 1 }]],
    ['a fraction as min of an integer', 'customFields[0].min', [{ type: 'integer', min: 1.5 }]],
    ['a string as max of a decimal', 'customFields[0].max', [{ type: 'decimal', max: '2' }]],
    ['a number as min of a date', 'customFields[0].min', [{ type: 'date', min: 2026 }]],
    ['an invalid date as max', 'customFields[0].max', [{ type: 'date', max: '2026-02-30' }]],
    ['an invalid date-time as min', 'customFields[0].min', [{ type: 'date_time', min: '2026-02-30T00:00' }]],
    ['max below min', 'customFields[0].max', [{ type: 'integer', min: 2, max: 1 }]],
    ['a date max below min', 'customFields[0].max', [{ type: 'date', min: '2026-01-02', max: '2026-01-01' }]],
    ['maxLength of an integer', 'customFields[0].maxLength', [{ type: 'integer', maxLength: 3 }]],
    ['maxLength of a select', 'customFields[0].maxLength', [{ type: 'select', options, maxLength: 3 }]],
    [
      'maxLength above the limit of the type',
      'customFields[0].maxLength',
      [{ type: 'text', maxLength: 1001 }],
    ],
    ['a default of another type', 'customFields[0].default', [{ type: 'integer', default: '1' }]],
    ['a default above max', 'customFields[0].default', [{ type: 'integer', max: 1, default: 2 }]],
    [
      'a default that is too long',
      'customFields[0].default',
      [{ type: 'text', maxLength: 1, default: 'ab' }],
    ],
    [
      'a default that is not an option',
      'customFields[0].default',
      [{ type: 'select', options, default: 'c' }],
    ],
    [
      'a string default of a multi_select',
      'customFields[0].default',
      [{ type: 'multi_select', options, default: 'a' }],
    ],
    ['a default that is not an address', 'customFields[0].default', [{ type: 'url', default: 'x' }]],
  ];

  test.each(faulty)('%s is rejected with the field %s', (_, fault, sent) => {
    const fields = (sent as object[]).map((one) => ({ ...base, ...one }) as CustomFieldInput);
    expect(thrownBy(() => defineFields(fields))).toEqual({ code: 'invalid_input', fields: [fault] });
  });

  test('a definition of each type accepts its own properties', () => {
    const all: CustomFieldInput[] = [
      { ...base, key: 'a', type: 'text', maxLength: 3, default: 'abc', helpText: 'h' },
      { ...base, key: 'b', type: 'long_text', maxLength: 10_000 },
      { ...base, key: 'c', type: 'integer', min: 0, max: 3, default: 0 },
      { ...base, key: 'd', type: 'decimal', min: 0.5, max: 0.5, default: 0.5 },
      { ...base, key: 'e', type: 'boolean', default: true },
      { ...base, key: 'f', type: 'date', min: '2026-01-01', max: '2026-01-01', default: '2026-01-01' },
      { ...base, key: 'g', type: 'date_time', min: '2026-01-01T00:00:00.000Z' },
      { ...base, key: 'h', type: 'select', options, default: 'b' },
      { ...base, key: 'i', type: 'multi_select', options, default: ['b', 'a'] },
      { ...base, key: 'j', type: 'email', default: 'ada@example.com' },
      { ...base, key: 'k', type: 'phone', default: '+1 415 555 0134' },
      { ...base, key: 'l', type: 'url', default: 'https://example.com' },
    ];
    expect(defineFields(all)).toEqual(all.map((one) => ({ ...one, required: false })));
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(customFieldTypes));
  });

  test('a key keeps its type, even after its removal', () => {
    const current = defineFields([
      { ...base, type: 'text' },
      { ...base, key: 'toString', type: 'text' },
    ]);
    const used = typesOfKeys(current, { gone: 'date' });
    for (const key of ['field', 'gone', 'toString'])
      expect(
        thrownBy(() =>
          defineFields(
            [
              { ...base, key: 'other', type: 'url' },
              { ...base, key, type: 'phone' },
            ],
            used,
          ),
        ),
      ).toEqual({ code: 'custom_field_type_fixed', fields: ['customFields[1].type'] });
    expect(
      defineFields(
        [
          { ...base, key: 'gone', type: 'date' },
          { ...base, key: 'valueOf', type: 'url' },
        ],
        used,
      ),
    ).toHaveLength(2);
  });
});
