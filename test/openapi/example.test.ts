import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { addKeywords } from '../../infra/build/keywords.ts';
import { exampleOf } from '../../infra/openapi/example.ts';
import {
  array,
  dateTime,
  email,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  string,
} from '../../shared/schema.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, discriminator: true });
addFormats.default(ajv);
addKeywords(ajv);

const endpoints = await loadEndpoints();
const parts = endpoints.flatMap(({ name, endpoint }) =>
  (['params', 'body', 'response'] as const).flatMap((part) => {
    const schema = endpoint.contract[part];
    return schema && !endpoint.contract.mediaType
      ? [
          {
            title: `${name} ${part}`,
            schema,
            example: exampleOf(schema, part === 'body' ? 'request' : 'response'),
          },
        ]
      : [];
  }),
);

test.each(parts)(
  'an example is valid for its schema (if not, add `examples` to the schema of the field): $title',
  ({ schema, example }) => {
    const validate = ajv.compile(schema);
    expect(validate(example), JSON.stringify({ example, errors: validate.errors })).toBe(true);
  },
);

describe('the example of a field', () => {
  const placeholders = [/^stri/, /^-?9007199254740991$/];
  test.each(parts)(
    'an example contains no placeholder (if it does, add `examples` to the schema of the field): $title',
    ({ example }) => {
      const values: string[] = [];
      JSON.stringify(example, (_, value) => {
        if (typeof value !== 'object') values.push(String(value));
        return value;
      });
      expect(values.filter((value) => placeholders.some((pattern) => pattern.test(value)))).toEqual([]);
    },
  );
});

describe('an example', () => {
  const example = (schema: object, purpose: 'request' | 'response' = 'response') =>
    exampleOf(schema, purpose);

  test('the example of a schema is the first of `examples`, otherwise the default, otherwise the first enum value', () => {
    expect(example(string({ examples: ['Front desk'] }))).toBe('Front desk');
    expect(example(oneOf(['open', 'closed'], { default: 'closed' }))).toBe('closed');
    expect(example(nullable(oneOf(['low', 'high'])))).toBe('low');
  });

  test('an example of an object contains the examples of its fields, or values of their formats', () => {
    const fields = object({
      firstName: string({ examples: ['Dana'] }),
      createdBy: email(),
      updatedAt: dateTime(),
      lastContacted: nullable(dateTime()),
      tags: array(string({ examples: ['hardware'] })),
    });
    expect(example(fields)).toEqual({
      firstName: 'Dana',
      createdBy: 'user@example.com',
      updatedAt: '2026-03-01T09:30:00.000Z',
      lastContacted: '2026-03-01T09:30:00.000Z',
      tags: ['hardware'],
    });
  });

  test('an example respects the limits of its field', () => {
    expect(example(object({ weight: integer({ minimum: 1, maximum: 4 }) }))).toEqual({ weight: 1 });
    expect(example(object({ name: string({ maxLength: 4 }) }))).toEqual({ name: 'stri' });
  });

  test('an example of a request omits read-only fields and optional references', () => {
    const body = object({
      teamId: optional(integer()),
      leadId: integer(),
      company: optional(string()),
      createdAt: optional(dateTime({ readOnly: true })),
    });
    expect(Object.keys(example(body, 'request') as object)).toEqual(['leadId', 'company']);
    expect(Object.keys(example(body, 'response') as object)).toEqual([
      'teamId',
      'leadId',
      'company',
      'createdAt',
    ]);
  });
});
