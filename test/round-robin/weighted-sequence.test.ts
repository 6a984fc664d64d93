import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weightedSequence } from '../../shared/rotations/weighted-sequence.ts';

const members = fc
  .array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 20 })
  .map((weights) => weights.map((weight, index) => ({ name: String.fromCharCode(65 + index), weight })));

const names = (sequence: readonly { name: string }[]): string => sequence.map(({ name }) => name).join('');

test('weights 5, 1, 1 give A A B A C A A', () => {
  const three = [5, 1, 1].map((weight, index) => ({ name: 'ABC'.charAt(index), weight }));
  expect(names(weightedSequence(three))).toBe('AABACAA');
});

test('the sequence is empty if there are no members', () => {
  expect(weightedSequence([])).toEqual([]);
});

test('a full round from any start contains each member `weight` times', () => {
  fc.assert(
    fc.property(members, fc.nat({ max: 500 }), fc.integer({ min: 1, max: 5 }), (all, start, rounds) => {
      const sequence = weightedSequence(all);
      const taken = Array.from(
        { length: sequence.length * rounds },
        (_, n) => sequence[(start + n) % sequence.length],
      );
      for (const member of all)
        expect(taken.filter((one) => one === member)).toHaveLength(member.weight * rounds);
    }),
  );
});

test('in every prefix of the sequence, a member exceeds its weighted share by less than one position', () => {
  fc.assert(
    fc.property(members, (all) => {
      const sequence = weightedSequence(all);
      for (let length = 1; length <= sequence.length; length++)
        for (const member of all) {
          const turns = sequence.slice(0, length).filter((one) => one === member).length;
          expect(turns - (length * member.weight) / sequence.length).toBeLessThan(1);
        }
    }),
    { numRuns: 50 },
  );
});
