import Ajv from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { addKnownFormats } from '../../infra/build/formats.ts';
import { addKeywords } from '../../infra/build/keywords.ts';
import { shareRules } from '../../infra/build/share-rules.ts';
import { withTextRules } from '../../infra/build/text-rules.ts';
import { compileValidators, validatorSource } from '../../infra/build/validators.ts';
import type { Contract } from '../../shared/endpoints/contract.ts';
import { check } from '../../shared/endpoints/validation.ts';
import { ApiError } from '../../shared/errors.ts';
import { patternMessages } from '../../shared/formats.ts';
import { ApplicationInput } from '../../shared/sales/applications/record/schema.ts';
import {
  array,
  boolean,
  date,
  dateTime,
  decimal,
  integer,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  string,
  type TSchema,
  union,
  unsafe,
} from '../../shared/schema.ts';
import { judgedBodies } from '../harness/heavy.ts';

const contractOf = (body: TSchema): Contract => ({
  method: 'POST',
  path: '/things',
  access: 'public',
  body,
  response: object({}),
  summary: 'Make a thing',
});

/** Returns the validation errors of a body, or the body with its defaults if it is valid. */
function validated(body: TSchema, value: unknown) {
  try {
    return check(compileValidators(contractOf(body)).body, value);
  } catch (error) {
    if (error instanceof ApiError) return error.details;
    throw error;
  }
}

const endpoints = await loadEndpoints();

describe('a decimal', () => {
  const Body = object({
    amount: optional(nullable(decimal({ places: 4 }))),
    rate: optional(decimal({ places: 6 })),
  });
  const { body: validate } = compileValidators(contractOf(Body));
  const accepts = (value: object) => validate?.(value);

  test('a decimal has at most 15 digits and at most the field’s number of decimal places', () => {
    for (const amount of [0, -0, 1, -1.5, 0.0001, 99_999_999_999.9999, 999_999_999_999_999, 1e3, null])
      expect(accepts({ amount }), String(amount)).toBe(true);
    for (const amount of [0.00001, 1e-7, 1.23456, 1_000_000_000_000_000, 999_999_999_999.9999, 1e21])
      expect(accepts({ amount }), String(amount)).toBe(false);
    expect(accepts({ rate: 0.123456 })).toBe(true);
    expect(accepts({ rate: 0.1234567 })).toBe(false);
  });

  test('a decimal is validated by its decimal digits, because a division would round', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
        fc.nat(8),
        (digits, zeros) => {
          let places = zeros;
          for (let rest = digits; places > 0 && rest % 10 === 0; rest /= 10) places -= 1;
          const amount = Number(`${digits}e-${zeros}`);
          expect(accepts({ amount }), String(amount)).toBe(places <= 4);
          expect(accepts({ rate: amount }), String(amount)).toBe(places <= 6);
        },
      ),
    );
  });

  test('the error for an invalid decimal contains the maximum number of digits', () => {
    expect(validated(Body, { amount: 0.00001 })).toEqual([
      { field: 'amount', message: 'must have at most 15 digits and 4 decimal places' },
    ]);
    expect(validated(Body, { amount: '1' })).toEqual([
      { field: 'amount', message: 'must be a number or null' },
    ]);
  });
});

test('the error for a date that does not exist shows the format', () => {
  expect(validated(object({ due: date() }), { due: '2026-02-29' })).toEqual([
    { field: 'due', message: 'must be a date of the calendar, such as 2026-03-01' },
  ]);
});

test('a violation is described in plain words', () => {
  const Body = object({
    name: string({ minLength: 1 }),
    sha256: string({ pattern: '^[0-9a-fA-F]{64}$' }),
    count: integer({ minimum: 1 }),
    tags: array(string(), { uniqueItems: true, maxItems: 2 }),
  });
  expect(validated(Body, { name: '', sha256: 'x', count: 0, tags: ['a', 'a', 'a'], other: 1 })).toEqual([
    { field: 'other', message: 'is not a field of this request' },
    { field: 'name', message: 'must not be empty' },
    { field: 'sha256', message: 'must be a SHA-256 in 64 hexadecimal digits' },
    { field: 'count', message: 'must be at least 1' },
    { field: 'tags', message: 'must have at most 2 items' },
    { field: 'tags', message: 'must not contain duplicates' },
  ]);
});

test('every pattern in the schema of a query or body has an error message', () => {
  const patterns = new Set<string>();
  for (const { endpoint } of endpoints)
    JSON.stringify([endpoint.contract.query, endpoint.contract.body], (name, value) => {
      if (name === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
  expect(Object.keys(patternMessages)).toEqual(expect.arrayContaining([...patterns]));
});

describe('rules that several fields share', () => {
  const bodies = endpoints.flatMap(({ name, endpoint: { contract } }) =>
    contract.body ? [{ name, body: contract.body }] : [],
  );

  /** The names of all fields in a schema. */
  const namesIn = (schema: TSchema): string[] => {
    const names: string[] = [];
    JSON.stringify(schema, (key, value) => {
      if (key === 'properties') names.push(...Object.keys(value));
      return value;
    });
    return [...new Set(names)];
  };

  /** Values that are mostly invalid. */
  const valuesFor = (schema: TSchema) => {
    const leaf = fc.constantFrom(null, true, 7, -1, 1.5, '', 'x', 'x'.repeat(1001), 'a@example.com', [], {});
    const field = fc.oneof(fc.constantFrom('nonsense'), fc.constantFrom('nonsense', ...namesIn(schema)));
    return fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, tie('object'), fc.array(tie('value'), { maxLength: 3 })),
      object: fc.dictionary(field, tie('value'), { maxKeys: 12 }),
    })).object;
  };

  /** Sorts the errors, because shared rules change the order in which fields are validated. */
  const resultOf = (validate: ((value: unknown) => unknown) & { errors?: unknown }, value: unknown) => {
    const withDefaults = structuredClone(value);
    const isValid = validate(withDefaults);
    const all = (validate.errors ?? []) as Record<string, unknown>[];
    // If ajv 8 knows the type of the items, it compares only items of this type. Otherwise, it compares all.
    const isAboutItem = (array: unknown) =>
      all.some((one) => String(one.instancePath).startsWith(`${array}/`));
    const errors = all.filter(
      ({ keyword, instancePath }) => keyword !== 'uniqueItems' || !isAboutItem(instancePath),
    );
    return {
      isValid,
      withDefaults,
      errors: errors
        .map(({ instancePath, keyword, params, message }) =>
          JSON.stringify({ instancePath, keyword, params, message }),
        )
        .sort(),
    };
  };

  test.each([...bodies, { name: 'an application', body: ApplicationInput as TSchema }])(
    'shared rules do not change the errors and defaults of a validator: $name',
    ({ body }) => {
      const ajv = new Ajv.default({
        allErrors: true,
        useDefaults: true,
        strict: true,
        allowUnionTypes: true,
        discriminator: true,
      });
      addKnownFormats(ajv);
      addKeywords(ajv);
      const plain = ajv.compile(withTextRules(body));
      const sharing = compileValidators(contractOf(body)).body;
      fc.assert(
        fc.property(valuesFor(body), (value) => {
          expect(sharing && resultOf(sharing, value)).toEqual(resultOf(plain, value));
        }),
        { numRuns: judgedBodies },
      );
    },
  );

  test('default values are filled in at every depth, even if several fields share one schema', () => {
    const count = integer({ minimum: 0 });
    const step = object({ at: optional(integer({ minimum: 0, default: 7 })), of: optional(count) });
    const Body = object({
      first: optional(integer({ minimum: 0, default: 3 })),
      second: optional(count),
      steps: array(step),
      byName: mapOf(step),
      one: step,
    });
    expect(JSON.stringify(shareRules(Body))).toContain('"$defs"');
    expect(validated(Body, { steps: [{}, { at: 1 }], byName: { a: {} }, one: {} })).toEqual({
      first: 3,
      steps: [{ at: 7 }, { at: 1 }],
      byName: { a: { at: 7 } },
      one: { at: 7 },
    });
    expect(validated(Body, { steps: [{ at: -1 }], byName: {}, one: { of: -1 } })).toEqual([
      { field: 'steps[0].at', message: 'must be at least 0' },
      { field: 'one.of', message: 'must be at least 0' },
    ]);
  });

  test('the variants of a union share rules, and each variant keeps its own error messages and defaults', () => {
    const name = string({ minLength: 1 });
    const variant = <K extends string>(kind: K, limit: number) =>
      object({ kind: oneOf([kind]), name, other: name, count: optional(integer({ default: limit })) });
    const Step = union('kind', [variant('a', 1), variant('b', 2)]);
    const Body = object({ first: Step, second: Step, third: nullable(union('kind', [variant('a', 3)])) });
    expect(JSON.stringify(shareRules(Body)).match(/minLength/g)).toHaveLength(1);
    const [one, other] = [
      { kind: 'a', name: 'x', other: 'y' },
      { kind: 'b', name: 'x', other: 'y' },
    ];
    expect(validated(Body, { first: one, second: other, third: { ...one } })).toEqual({
      first: { ...one, count: 1 },
      second: { ...other, count: 2 },
      third: { ...one, count: 3 },
    });
    expect(validated(Body, { first: one, second: one, third: null })).toHaveProperty('third', null);
    expect(
      validated(Body, { first: { ...one, kind: 'c' }, second: { name: '' }, third: { ...one, name: '' } }),
    ).toEqual([
      { field: 'first.kind', message: 'must be one of a, b' },
      { field: 'second.kind', message: 'is required' },
      { field: 'third.name', message: 'must not be empty' },
    ]);
  });

  test('date-times in a union are converted to UTC, and an unsupported union fails the build', () => {
    const variant = <K extends string>(kind: K, at: TSchema) => object({ kind: oneOf([kind]), at });
    const Body = union('kind', [variant('a', dateTime()), variant('b', dateTime())]);
    expect(validated(Body, { kind: 'b', at: '2026-03-01T10:30:00+01:00' })).toEqual({
      kind: 'b',
      at: '2026-03-01T09:30:00.000Z',
    });
    const Mixed = union('kind', [variant('a', dateTime()), variant('b', string())]);
    expect(() => validated(Mixed, {})).toThrow('the same coercions');
    const replaced: Contract = { ...contractOf(Body), method: 'PUT', path: '/things/{id}' };
    expect(() => compileValidators(replaced)).toThrow('cannot be a union');
  });

  test('schemas with alternatives (anyOf) are not changed', () => {
    const text = string();
    const Body = object({
      a: text,
      b: text,
      c: unsafe({ anyOf: [{ type: 'string', maxLength: 1000 }, { type: 'null' }] }),
    });
    expect(shareRules(Body)).toMatchObject({
      properties: { c: { anyOf: [{ type: 'string', maxLength: 1000 }, { type: 'null' }] } },
    });
  });

  test('a body of 150 fields compiles to the same source every time, with less than 60 KB', () => {
    const kinds = [
      (example: string) => string({ maxLength: 200, examples: [example] }),
      (example: string) => nullable(string({ maxLength: 64, description: example })),
      (example: string) => nullable(integer({ minimum: 0, description: example })),
      (example: string) => nullable(boolean({ description: example })),
      (example: string) => nullable(decimal({ places: 4, description: example })),
    ];
    const fields = Array.from({ length: 150 }, (_, n) => {
      const kind = kinds[n % kinds.length] ?? boolean;
      return [`someFieldOfAForm${n}`, optional(kind(`Field ${n}`) as TSchema)] as const;
    });
    const source = validatorSource(contractOf(object(Object.fromEntries(fields))), 'body');
    expect(source.length).toBeLessThan(60_000);
    expect(validatorSource(contractOf(object(Object.fromEntries(fields))), 'body')).toBe(source);
  });
});
