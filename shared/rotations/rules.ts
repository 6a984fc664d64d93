import { ApiError } from '../errors.ts';
import { sameValue } from '../table/revise.ts';
import type { MembersNow } from './read-members.ts';
import type { RotationMember } from './schema.ts';
import type { RotationState } from './slots.ts';
import { positionOf, sequenceLength } from './weighted-sequence.ts';

/** Throws `position_out_of_range` for a position outside the weighted rotation. */
function checkPosition(position: number, members: readonly RotationMember[]): void {
  if (position >= sequenceLength(members)) throw new ApiError('position_out_of_range');
}

/** How a rotation's turns go on, and the position that it then stands at over the members who are eligible now. */
interface Turns<T> {
  turns: T;
  currentPosition: number;
}

/** What of a rotation its turns depend on. */
type TurnState = Pick<RotationState, 'userRotationArray' | 'slotEpoch' | 'slotStart'>;

/** How the turns of a new rotation begin. Throws `position_out_of_range`. */
export function beginTurns({ members, eligible }: MembersNow, slotStart = 0): Turns<TurnState> {
  checkPosition(slotStart, members);
  return {
    turns: { userRotationArray: members, slotEpoch: 1, slotStart },
    currentPosition: positionOf(slotStart, eligible),
  };
}

/**
 * How a rotation's turns go on after a change: from the `wanted` position, from 0 when other members or
 * weights were sent, else from where they were. Increments themselves never change the rotation, and neither does a
 * member's new name its turns. Throws `position_out_of_range`.
 */
export function resetTurns(
  { userRotationArray, slotEpoch }: TurnState,
  { members, eligible }: MembersNow,
  wanted: number | undefined,
  current: number,
): Turns<Partial<TurnState>> {
  const slotStart = wanted ?? 0;
  checkPosition(slotStart, members);
  const changed = !sameValue(members.map(shareOf), userRotationArray.map(shareOf));
  const currentPosition = positionOf(slotStart, eligible);
  if (!changed && (wanted === undefined || currentPosition === current))
    return { turns: { userRotationArray: members }, currentPosition: current };
  return {
    turns: { userRotationArray: members, slotEpoch: slotEpoch + 1, slotStart },
    currentPosition,
  };
}

const shareOf = ({ userId, weight }: RotationMember) => [userId, weight];

/** The rotations that are active, the oldest first. */
export const activeByAge = <R extends { id: number; status: string }>(rotations: readonly R[]): R[] =>
  rotations.filter(({ status }) => status === 'active').sort((one, other) => one.id - other.id);
