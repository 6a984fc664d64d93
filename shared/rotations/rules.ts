import { Refusal } from '../http/errors.ts';
import type { RotationMember } from './rotation-member.ts';
import type { Turning } from './slots.ts';
import { sequenceLength } from './weighted-sequence.ts';

/** Refuses a position outside the weighted rotation with `position_out_of_range`. */
export function checkPosition(position: number, members: readonly RotationMember[]): void {
  if (position >= sequenceLength(members)) throw new Refusal('position_out_of_range');
}

/**
 * How a rotation's turns go on after a change: from the position that was asked for, from 0 when the members
 * changed, else from where they were. Increments themselves never change the rotation.
 */
export function resetTurns(
  rotation: Turning,
  members: readonly RotationMember[] | undefined,
  position: number | undefined,
  current: number,
): Partial<Turning> {
  const changed =
    members !== undefined && JSON.stringify(members) !== JSON.stringify(rotation.userRotationArray);
  if (!changed && (position === undefined || position === current)) return {};
  checkPosition(position ?? 0, members ?? rotation.userRotationArray);
  return { slotEpoch: rotation.slotEpoch + 1, slotStart: position ?? 0 };
}
