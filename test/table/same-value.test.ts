import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween } from '../../shared/events/changes.ts';
import { authoredBy, revise, sameValue } from '../../shared/table/revise.ts';

/** Returns the value as DynamoDB may return it: with another order of fields, and without undefined fields. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, shuffled(inner)]);
  return Object.fromEntries([...fields.toReversed(), ['never stored', undefined]]);
}

/** JSON values without -0, which the table cannot store. */
const stored = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const record = { version: 1, updatedAt: '2026-01-01T00:00:00.000Z' };
const now = new Date('2026-03-01T09:30:00Z');

test('two values are equal in any order of fields, and an undefined field equals an absent field', () => {
  fc.assert(
    fc.property(stored, (value) => {
      expect(sameValue(value, shuffled(value))).toBe(true);
      expect(sameValue(shuffled(value), value)).toBe(true);
    }),
  );
});

test('two values are equal only if their JSON is equal', () => {
  const sorted = (value: unknown): string =>
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
        : inner,
    );
  fc.assert(
    fc.property(stored, stored, (one, other) => {
      expect(sameValue(one, other)).toBe(sorted(one) === sorted(other));
    }),
  );
  for (const [one, other] of [
    [null, undefined],
    [null, {}],
    [[], {}],
    ['1', 1],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: undefined }, { a: null }],
  ])
    expect(sameValue(one, other), JSON.stringify([one, other])).toBe(false);
});

test('an equal value causes no revision and no event', () => {
  fc.assert(
    fc.property(stored, (value) => {
      const before = { ...record, field: value };
      expect(revise(before, { field: shuffled(value) }, authoredBy('ada', now))).toBe(before);
      expect(changesBetween(before, { ...record, field: shuffled(value) })).toEqual({});
    }),
  );
});
