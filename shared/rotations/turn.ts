import type { Turn } from './schema.ts';
import { positionOf, weightedSequence } from './weighted-sequence.ts';

/** Whose a turn is, from the turn alone; undefined where nobody was eligible. */
export function memberOf({ members, start, slot }: Turn): Turn['members'][number] | undefined {
  return weightedSequence(members)[positionOf(start + slot, members)];
}

/** A turn that is not taken: its slot, the position of that in the weighted sequence, and whose it would be. */
interface PreviewedTurn<M> {
  slot: number;
  position: number;
  member: M;
}

/** The turns that the slots from `slot` on would be, `count` of them; none where there is nobody. */
export function previewTurns<M extends { weight: number }>(
  { start, slot: first }: Pick<Turn, 'start' | 'slot'>,
  members: readonly M[],
  count: number,
): PreviewedTurn<M>[] {
  const sequence = weightedSequence(members);
  return Array.from({ length: count }, (_, n) => first + n).flatMap((slot) => {
    const position = positionOf(start + slot, members);
    const member = sequence[position];
    return member ? [{ slot, position, member }] : [];
  });
}
