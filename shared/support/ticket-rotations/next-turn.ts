import type { AccountId } from '../../id/account-id.ts';
import { asUniqueRecordId } from '../../id/unique-id.ts';
import { activeByAge } from '../../rotations/rules.ts';
import type { RotationMember, Turn } from '../../rotations/schema.ts';
import { type CountSlot, takeTurn } from '../../rotations/slots.ts';
import type { NoTurnReason, StoredTicketRotation } from './schema.ts';
import { ticketRotations } from './store.ts';

/** Who gets a ticket by the turn that was taken, or why nobody does; a turn nobody is eligible for is taken too. */
type NextTurn =
  | { assignee: RotationMember; turn: Turn; reason?: undefined }
  | { assignee?: undefined; turn?: Turn; reason: NoTurnReason };

/** What decides which rotation a ticket goes by: its type, and the rotation that the type names, if any. */
export interface TurnCriteria {
  ticketTypeId?: string;
  rotationId?: string;
}

/** The rotations that `nextTurn` chooses from: the one that the type names, if it is there, else all of the account. */
export async function rotationsFor(
  account: AccountId,
  { rotationId }: TurnCriteria,
): Promise<readonly StoredTicketRotation[]> {
  if (rotationId === undefined) return ticketRotations.choices(account);
  const named = await ticketRotations.findByReference(account, rotationId);
  return named ? [named] : [];
}

/**
 * Who gets the next ticket of a type. Takes a slot of the rotation, beside the look at who is eligible, so call it once
 * for each ticket, after all that can refuse it.
 */
export async function nextTurn(
  of: TurnCriteria,
  rotations: readonly StoredTicketRotation[],
  countSlot?: CountSlot,
): Promise<NextTurn> {
  const { rotation, reason } = rotationFor(of, rotations);
  if (!rotation) return { reason };
  const { assignee, turn } = await takeTurn('TICKETROTATION', rotation, undefined, countSlot);
  return assignee ? { assignee, turn } : { turn, reason: 'nobody_eligible' };
}

type Chosen =
  | { rotation: StoredTicketRotation; reason?: undefined }
  | { rotation?: undefined; reason: NoTurnReason };

/** The rotation that a type's tickets go by: the one it names, else the oldest active one that names the type. */
export function rotationFor(
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
