import { describe, expect, test } from 'vitest';
import { integer, nullable, oneOf, string, unsafe } from '../shared/schema.ts';

describe('nullable', () => {
  test('nullable adds null to the type and enum of a schema', () => {
    expect(nullable(integer({ minimum: 1 }))).toMatchObject({ type: ['integer', 'null'], minimum: 1 });
    expect(nullable(oneOf(['a', 'b']))).toMatchObject({ type: ['string', 'null'], enum: ['a', 'b', null] });
  });

  test.each([
    ['of alternatives', unsafe({ anyOf: [string(), integer()] })],
    ['that takes anything', unsafe({})],
    ['that is already nullable', nullable(string())],
  ])('nullable of a schema %s throws', (_, schema) => {
    expect(() => nullable(schema)).toThrow('nullable() needs a schema with one "type"');
  });
});
