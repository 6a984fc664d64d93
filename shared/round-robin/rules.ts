import { ApiError } from '../errors.ts';
import { sameValue } from '../table/same-value.ts';
import type { MembersNow } from './read-members.ts';
import type { RotationMember } from './schema.ts';
import type { RotationState } from './slots.ts';
import { positionOf, sequenceLength } from './weighted-sequence.ts';

/** Throws `position_out_of_range` for a position outside the weighted rotation. */
export function checkPosition(position: number, members: readonly RotationMember[]): void {
  if (position >= sequenceLength(members)) throw new ApiError('position_out_of_range');
}

/**
 * How a rotation's turns go on after a change: from the `wanted` position, from 0 when other members or
 * weights were sent, else from where they were; and the position that it then stands at, over the members who are
 * eligible now. Increments themselves never change the rotation, and neither does a member's new name its turns.
 */
export function resetTurns(
  { userRotationArray, slotEpoch }: RotationState,
  { members, eligible }: MembersNow,
  wanted: number | undefined,
  current: number,
): { turns: Partial<RotationState>; currentPosition: number } {
  const slotStart = wanted ?? 0;
  checkPosition(slotStart, members);
  const changed = !sameValue(members.map(shareOf), userRotationArray.map(shareOf));
  const currentPosition = positionOf(slotStart, eligible);
  if (!changed && (wanted === undefined || currentPosition === current))
    return { turns: {}, currentPosition: current };
  return { turns: { slotEpoch: slotEpoch + 1, slotStart }, currentPosition };
}

const shareOf = ({ userId, weight }: RotationMember) => [userId, weight];
