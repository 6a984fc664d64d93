import { ApiError } from '../errors.ts';
import { sameValue } from '../table/revise.ts';
import type { CurrentMembers } from './read-members.ts';
import type { RotationMember } from './schema.ts';
import type { RotationState } from './slots.ts';
import { positionOf, sequenceLength } from './weighted-sequence.ts';

function checkPosition(position: number, members: readonly RotationMember[]): void {
  if (position >= sequenceLength(members)) throw new ApiError('position_out_of_range');
}

/**
 * `turns` contains the fields that determine the next assignees. `currentPosition` is the resulting position
 * among the eligible members.
 */
interface Turns<T> {
  turns: T;
  currentPosition: number;
}

type TurnState = Pick<RotationState, 'userRotationArray' | 'slotEpoch' | 'slotStart'>;

export function beginTurns({ members, eligible }: CurrentMembers, slotStart = 0): Turns<TurnState> {
  checkPosition(slotStart, members);
  return {
    turns: { userRotationArray: members, slotEpoch: 1, slotStart },
    currentPosition: positionOf(slotStart, eligible),
  };
}

/** Restarts the rotation if members, order, weights or position change. Throws `position_out_of_range`. */
export function resetTurns(
  { userRotationArray, slotEpoch }: TurnState,
  { members, eligible }: CurrentMembers,
  wanted: number | undefined,
  current: number,
): Turns<Partial<TurnState>> {
  const slotStart = wanted ?? 0;
  checkPosition(slotStart, members);
  const changed = !sameValue(members.map(shareOf), userRotationArray.map(shareOf));
  const currentPosition = positionOf(slotStart, eligible);
  if (!changed && (wanted === undefined || currentPosition === current))
    return { turns: { userRotationArray: members }, currentPosition: current };
  return { turns: { userRotationArray: members, slotEpoch: slotEpoch + 1, slotStart }, currentPosition };
}

const shareOf = ({ userId, weight }: RotationMember) => [userId, weight];

export const activeByAge = <R extends { id: number; status: string }>(rotations: readonly R[]): R[] =>
  rotations.filter(({ status }) => status === 'active').sort((one, other) => one.id - other.id);
