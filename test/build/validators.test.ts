import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileValidators } from '../../infra/build/validators.ts';
import { ApiError } from '../../shared/errors.ts';
import type { Contract } from '../../shared/http/contract.ts';
import { check } from '../../shared/http/validation.ts';
import { date, decimal, nullable, object, optional, type TSchema } from '../../shared/schema.ts';

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
    expect(judged(Body, { amount: '1' })).toEqual([{ field: 'amount', message: 'must be number,null' }]);
  });
});

test('a date that the calendar does not have hears what is asked for', () => {
  expect(judged(object({ due: date() }), { due: '2026-02-29' })).toEqual([
    { field: 'due', message: 'must be a day of the calendar, such as 2026-03-01' },
  ]);
});
