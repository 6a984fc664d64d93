import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { exampleOf } from '../../infra/openapi/example.ts';
import type { JsonSchema } from '../../infra/openapi/types.ts';
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

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

const endpoints = await loadEndpoints();
const parts = endpoints.flatMap(({ name, endpoint }) =>
  (['body', 'response'] as const).flatMap((part) => {
    const schema = endpoint.contract[part];
    return schema && !endpoint.contract.mediaType
      ? [{ title: `${name} ${part}`, part, schema: { ...schema } }]
      : [];
  }),
);

describe('an example keeps its schema (where it does not, give the field `examples`)', () => {
  test.each(parts)('$title', ({ part, schema }) => {
    const example = exampleOf(schema, part === 'body' ? 'request' : 'answer');
    const validate = ajv.compile(schema);
    expect(validate(example), JSON.stringify({ example, errors: validate.errors })).toBe(true);
  });
});

describe('an example', () => {
  const example = (schema: unknown, purpose: 'request' | 'answer' = 'answer') =>
    exampleOf(schema as JsonSchema, purpose);

  test('is what the schema says it is', () => {
    expect(example(string({ examples: ['Front desk'] }))).toBe('Front desk');
    expect(example(oneOf(['open', 'closed'], { default: 'closed' }))).toBe('closed');
    expect(example(nullable(oneOf(['low', 'high'])))).toBe('low');
  });

  test('is otherwise what a field of its name holds', () => {
    const fields = object({
      firstName: string(),
      createdBy: email(),
      updatedAt: dateTime(),
      tags: array(string()),
    });
    expect(example(fields)).toEqual({
      firstName: 'Dana',
      createdBy: 'dana.reyes@example.com',
      updatedAt: '2026-03-01T09:30:00.000Z',
      tags: ['hardware'],
    });
  });

  test('keeps the limits of its field', () => {
    expect(example(object({ weight: integer({ minimum: 1, maximum: 4 }) }))).toEqual({ weight: 3 });
    expect(example(object({ name: string({ maxLength: 4 }) }))).toEqual({ name: 'Name' });
  });

  test('of a request can be sent as it stands: it names no record but those it must', () => {
    const body = object({
      teamId: optional(integer()),
      leadId: integer(),
      company: optional(string()),
      createdAt: optional(dateTime({ readOnly: true })),
    });
    expect(Object.keys(example(body, 'request') as object)).toEqual(['leadId', 'company']);
    expect(Object.keys(example(body, 'answer') as object)).toEqual([
      'teamId',
      'leadId',
      'company',
      'createdAt',
    ]);
  });
});
