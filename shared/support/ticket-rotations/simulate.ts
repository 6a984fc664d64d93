import type { CurrentMembers } from '../../rotations/read-members.ts';
import { resetTurns } from '../../rotations/rules.ts';
import type { RotationProgress, RotationState } from '../../rotations/slots.ts';
import { previewTurns } from '../../rotations/turn.ts';
import type { PreviewedTurns } from './schema.ts';

/**
 * Previews the assignments that would follow a PATCH that sets the members to `now`. If the members or weights
 * differ from the stored ones, the preview starts at position 0.
 */
export function simulate(
  rotation: RotationState,
  { slot, currentPosition }: Pick<RotationProgress, 'slot' | 'currentPosition'>,
  now: CurrentMembers,
  count: number,
): PreviewedTurns {
  const { slotEpoch, slotStart = 0 } = resetTurns(rotation, now, undefined, currentPosition).turns;
  const next = slotEpoch === undefined ? { start: rotation.slotStart, slot } : { start: slotStart, slot: 0 };
  return {
    data: previewTurns(next, now.eligible, count).map(
      ({ slot, position, member: { userId, email, name } }) => ({ slot, position, userId, email, name }),
    ),
    ...(now.eligible.length === 0 && { reason: 'nobody_eligible' as const }),
    skipped: now.skipped.flatMap(({ userId, reason }) =>
      now.members
        .filter((member) => member.userId === userId)
        .map(({ email, name }) => ({ userId, email, name, reason })),
    ),
  };
}
