import type { AccountId } from '../../id/account-id.ts';
import { asUniqueRecordId } from '../../id/unique-id.ts';
import { activeByAge } from '../../rotations/rules.ts';
import type { RotationMember, Turn } from '../../rotations/schema.ts';
import { type CountSlot, takeTurn } from '../../rotations/slots.ts';
import type { NoTurnReason, StoredTicketRotation } from './schema.ts';
import { ticketRotations } from './store.ts';

/** The assignee, or the reason why there is no assignee. `turn` is set whenever the rotation advanced. */
type NextTurn =
  | { assignee: RotationMember; turn: Turn; reason?: undefined }
  | { assignee?: undefined; turn?: Turn; reason: NoTurnReason };

export interface TurnCriteria {
  ticketTypeId?: string;
  rotationId?: string;
}

/** Reads the rotations for `nextTurn`: the rotation with `rotationId`, or all rotations if `rotationId` is omitted. */
export async function rotationsFor(
  account: AccountId,
  { rotationId }: TurnCriteria,
): Promise<readonly StoredTicketRotation[]> {
  if (rotationId === undefined) return ticketRotations.choices(account);
  const named = await ticketRotations.findByReference(account, rotationId);
  return named ? [named] : [];
}

/** Advances the rotation for a ticket. Call this function only once per ticket, after all validation. */
export async function nextTurn(
  of: TurnCriteria,
  rotations: readonly StoredTicketRotation[],
  countSlot?: CountSlot,
): Promise<NextTurn> {
  const { rotation, reason } = ticketRotationFor(of, rotations);
  if (!rotation) return { reason };
  const { assignee, turn } = await takeTurn('TICKETROTATION', rotation, undefined, countSlot);
  return assignee ? { assignee, turn } : { turn, reason: 'nobody_eligible' };
}

type Chosen =
  | { rotation: StoredTicketRotation; reason?: undefined }
  | { rotation?: undefined; reason: NoTurnReason };

/** Returns the rotation with `rotationId`, or the oldest active rotation for the type if `rotationId` is omitted. */
function ticketRotationFor(
  { rotationId, ticketTypeId }: TurnCriteria,
  rotations: readonly StoredTicketRotation[],
): Chosen {
  if (rotationId === undefined) {
    const [oldest] = activeByAge(rotations.filter((rotation) => rotation.ticketTypeId === ticketTypeId));
    return oldest && ticketTypeId !== undefined ? { rotation: oldest } : { reason: 'no_rotation' };
  }
  const id = asUniqueRecordId('rot', rotationId);
  const named = rotations.find((rotation) => rotation.id === id);
  if (!named) return { reason: 'rotation_gone' };
  return named.status === 'active' ? { rotation: named } : { reason: 'rotation_inactive' };
}
