import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberOf, previewTurns } from '../../shared/rotations/turn.ts';
import { weightedSequence } from '../../shared/rotations/weighted-sequence.ts';

const members = fc
  .array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 20 })
  .map((weights) => weights.map((weight, index) => ({ userId: String(index), weight })));

const turnOf = (start: number, slot: number, eligible: { userId: string; weight: number }[]) => ({
  rotationId: 1,
  epoch: 1,
  slot,
  start,
  members: eligible,
  skipped: [],
});

test('with weights 5, 1, 1 and start 2, the slots 0 to 7 belong to B A C A A A A B', () => {
  const three = [5, 1, 1].map((weight, index) => ({ userId: 'ABC'.charAt(index), weight }));
  const turns = Array.from({ length: 8 }, (_, slot) => memberOf(turnOf(2, slot, three))?.userId);
  expect(turns.join('')).toBe('BACAAAAB');
});

test('a slot has no member if no member is eligible', () => {
  expect(memberOf(turnOf(0, 7, []))).toBeUndefined();
  expect(previewTurns({ start: 0, slot: 7 }, [], 5)).toEqual([]);
});

test('a preview shows the members of the next slots, from any slot and start', () => {
  fc.assert(
    fc.property(members, fc.nat({ max: 99 }), fc.nat({ max: 10_000 }), (all, start, slot) => {
      const previewed = previewTurns({ start, slot }, all, 18);
      expect(previewed.map((turn) => turn.slot)).toEqual(Array.from({ length: 18 }, (_, n) => slot + n));
      for (const turn of previewed) {
        expect(turn.member).toBe(memberOf(turnOf(start, turn.slot, all)));
        expect(turn.member).toBe(weightedSequence(all)[turn.position]);
      }
    }),
  );
});
