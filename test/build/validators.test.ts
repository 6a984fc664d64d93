import Ajv from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { addKnownFormats } from '../../infra/build/formats.ts';
import { addKeywords } from '../../infra/build/keywords.ts';
import { shareRules } from '../../infra/build/share-rules.ts';
import { compileValidators, validatorSource } from '../../infra/build/validators.ts';
import type { Contract } from '../../shared/endpoints/contract.ts';
import { check } from '../../shared/endpoints/validation.ts';
import { ApiError } from '../../shared/errors.ts';
import { patternMessages } from '../../shared/formats.ts';
import { ApplicationInput } from '../../shared/sales/applications/schema.ts';
import {
  array,
  boolean,
  date,
  decimal,
  integer,
  mapOf,
  nullable,
  object,
  optional,
  string,
  type TSchema,
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

/** What is wrong with a body, as a request hears it; the body itself, with its defaults, where nothing is. */
function judged(body: TSchema, value: unknown) {
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
  const takes = (value: object) => validate?.(value);

  test('a decimal has at most 15 digits, as many of them behind the point as its field says', () => {
    for (const amount of [0, -0, 1, -1.5, 0.0001, 99_999_999_999.9999, 999_999_999_999_999, 1e3, null])
      expect(takes({ amount }), String(amount)).toBe(true);
    for (const amount of [0.00001, 1e-7, 1.23456, 1_000_000_000_000_000, 999_999_999_999.9999, 1e21])
      expect(takes({ amount }), String(amount)).toBe(false);
    expect(takes({ rate: 0.123456 })).toBe(true);
    expect(takes({ rate: 0.1234567 })).toBe(false);
  });

  test('whether a decimal fits is judged by its digits: every one of them that fits is taken', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
        fc.nat(8),
        (digits, zeros) => {
          let behindPoint = zeros;
          for (let rest = digits; behindPoint > 0 && rest % 10 === 0; rest /= 10) behindPoint -= 1;
          const amount = Number(`${digits}e-${zeros}`);
          expect(takes({ amount }), String(amount)).toBe(behindPoint <= 4);
          expect(takes({ rate: amount }), String(amount)).toBe(behindPoint <= 6);
        },
      ),
    );
  });

  test('a decimal that does not fit hears how many digits it may have', () => {
    expect(judged(Body, { amount: 0.00001 })).toEqual([
      { field: 'amount', message: 'must have at most 15 digits, 4 of them behind the point' },
    ]);
    expect(judged(Body, { amount: '1' })).toEqual([{ field: 'amount', message: 'must be a number or null' }]);
  });
});

test('a date that the calendar does not have hears what is asked for', () => {
  expect(judged(object({ due: date() }), { due: '2026-02-29' })).toEqual([
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
  expect(judged(Body, { name: '', sha256: 'x', count: 0, tags: ['a', 'a', 'a'], other: 1 })).toEqual([
    { field: 'other', message: 'is not a field of this request' },
    { field: 'name', message: 'must not be empty' },
    { field: 'sha256', message: 'must be a SHA-256 in 64 hexadecimal digits' },
    { field: 'count', message: 'must be at least 1' },
    { field: 'tags', message: 'must have at most 2 items' },
    { field: 'tags', message: 'must not contain duplicates' },
  ]);
});

test('every pattern of a query or body has a message', () => {
  const patterns = new Set<string>();
  for (const { endpoint } of endpoints)
    JSON.stringify([endpoint.contract.query, endpoint.contract.body], (name, value) => {
      if (name === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
  expect(Object.keys(patternMessages)).toEqual(expect.arrayContaining([...patterns]));
});

describe('rules that several fields have', () => {
  const bodies = endpoints.flatMap(({ name, endpoint: { contract } }) =>
    contract.body ? [{ name, body: contract.body }] : [],
  );

  /** The names of all fields there are in a schema. */
  const namesIn = (schema: TSchema): string[] => {
    const names: string[] = [];
    JSON.stringify(schema, (key, value) => {
      if (key === 'properties') names.push(...Object.keys(value));
      return value;
    });
    return [...new Set(names)];
  };

  /** Values that are right in some places and wrong in most. */
  const valuesFor = (schema: TSchema) => {
    const leaf = fc.constantFrom(null, true, 7, -1, 1.5, '', 'x', 'x'.repeat(1001), 'a@example.com', [], {});
    const field = fc.oneof(fc.constantFrom('nonsense'), fc.constantFrom('nonsense', ...namesIn(schema)));
    return fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, tie('object'), fc.array(tie('value'), { maxLength: 3 })),
      object: fc.dictionary(field, tie('value'), { maxKeys: 12 }),
    })).object;
  };

  const faultsOf = (validate: ((value: unknown) => unknown) & { errors?: unknown }, value: unknown) => {
    const judged = structuredClone(value);
    const fits = validate(judged);
    const errors = (validate.errors ?? []) as {
      instancePath: string;
      keyword: string;
      params: object;
      message: string;
    }[];
    return {
      fits,
      judged,
      errors: errors.map(({ instancePath, keyword, params, message }) => ({
        instancePath,
        keyword,
        params,
        message,
      })),
    };
  };

  /** Fields with one rule are looked at together, so that faults come in another order. */
  const inOrder = ({ errors, ...others }: ReturnType<typeof faultsOf>) => ({
    ...others,
    errors: errors.map((error) => JSON.stringify(error)).sort(),
  });

  test.each([...bodies, { name: 'an application', body: ApplicationInput as TSchema }])(
    'a validator that shares rules finds the faults and fills in the defaults that one would that does not: $name',
    ({ body }) => {
      const ajv = new Ajv.default({
        allErrors: true,
        useDefaults: true,
        strict: true,
        allowUnionTypes: true,
      });
      addKnownFormats(ajv);
      addKeywords(ajv);
      const plain = ajv.compile(body);
      const sharing = compileValidators(contractOf(body)).body;
      fc.assert(
        fc.property(valuesFor(body), (value) => {
          expect(sharing && inOrder(faultsOf(sharing, value))).toEqual(inOrder(faultsOf(plain, value)));
        }),
        { numRuns: judgedBodies },
      );
    },
  );

  test('a default that stands beside shared rules is filled in, wherever the field is', () => {
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
    expect(judged(Body, { steps: [{}, { at: 1 }], byName: { a: {} }, one: {} })).toEqual({
      first: 3,
      steps: [{ at: 7 }, { at: 1 }],
      byName: { a: { at: 7 } },
      one: { at: 7 },
    });
    expect(judged(Body, { steps: [{ at: -1 }], byName: {}, one: { of: -1 } })).toEqual([
      { field: 'steps[0].at', message: 'must be at least 0' },
      { field: 'one.of', message: 'must be at least 0' },
    ]);
  });

  test('what stands in alternatives is left as it is', () => {
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

  test('a body of 150 fields with a few sorts of rules compiles to 60 KB of source, and always to the same', () => {
    const sorts = [
      (example: string) => string({ maxLength: 200, examples: [example] }),
      (example: string) => nullable(string({ maxLength: 64, description: example })),
      (example: string) => nullable(integer({ minimum: 0, description: example })),
      (example: string) => nullable(boolean({ description: example })),
      (example: string) => nullable(decimal({ places: 4, description: example })),
    ];
    const fields = Array.from({ length: 150 }, (_, n) => {
      const sort = sorts[n % sorts.length] ?? boolean;
      return [`someFieldOfAForm${n}`, optional(sort(`Field ${n}`) as TSchema)] as const;
    });
    const source = validatorSource(contractOf(object(Object.fromEntries(fields))), 'body');
    expect(source.length).toBeLessThan(60_000);
    expect(validatorSource(contractOf(object(Object.fromEntries(fields))), 'body')).toBe(source);
  });
});
