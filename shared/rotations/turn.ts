import type { Turn } from './schema.ts';
import { positionOf, weightedSequence } from './weighted-sequence.ts';

/** Returns the member to which a slot was assigned. Returns undefined if no member was eligible. */
export function memberOf({ members, start, slot }: Turn): Turn['members'][number] | undefined {
  return weightedSequence(members)[positionOf(start + slot, members)];
}

interface PreviewedTurn<M> {
  slot: number;
  position: number;
  member: M;
}

/** Previews `count` assignments, starting at `slot`. Returns an empty array if there are no members. */
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
