import {
  CurrentPosition,
  NewRotationStatus,
  newTurnFields,
  RotationMember,
  RotationMembers,
  RotationMembersInput,
  RotationStatus,
  SkippedMember,
  turnFields,
} from '../../rotations/schema.ts';
import type { RotationState } from '../../rotations/slots.ts';
import { array, integer, nullable, object, optional, type Static, string, uniqueId } from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const name = string({ minLength: 1, maxLength: 200, examples: ['Terminal faults'] });
const ticketTypeId = uniqueId('tty', {
  description: 'The type whose tickets it assigns, unless the type names a rotation itself.',
});

/**
 * Why a ticket that was to be assigned by rotation is nobody's.
 * - `rotation_gone`: the ticket type names a rotation that was deleted
 * - `rotation_inactive`: that rotation is inactive
 * - `no_rotation`: the type names none, and no active one is there for it
 * - `nobody_eligible`: nobody in the rotation is an active member
 */
export const noTurnReasons = [
  'rotation_gone',
  'rotation_inactive',
  'no_rotation',
  'nobody_eligible',
] as const;
export type NoTurnReason = (typeof noTurnReasons)[number];

/** Who gets the next ticket, by smooth weighted round-robin. Interface, "Ticket rotation". */
export const TicketRotation = object({
  ...recordFields,
  uniqueId: uniqueId('rot', { readOnly: true }),
  name,
  ticketTypeId: optional(ticketTypeId),
  status: RotationStatus,
  userRotationArray: RotationMembers,
  currentPosition: CurrentPosition,
});
export type TicketRotation = Static<typeof TicketRotation>;

/** A rotation as it is stored: its `uniqueId` follows from its id, and where it stands is counted elsewhere. */
export type StoredTicketRotation = Omit<TicketRotation, 'uniqueId' | 'currentPosition'> & RotationState;

/** The path of a rotation: `/ticket-rotations/{id}`, by its `uniqueId` or its id. */
export const TicketRotationParams = object({ id: uniqueId('rot') });

export const TicketRotationInput = object({
  name,
  ticketTypeId: optional(ticketTypeId),
  status: optional(NewRotationStatus),
  ...newTurnFields,
});

/** Interface, "PATCH /ticket-rotations/{id}". */
export const TicketRotationPatch = object({
  name: optional(name),
  ticketTypeId: optional(nullable(ticketTypeId)),
  status: optional(RotationStatus),
  ...turnFields,
});

export const TicketRotationReset = object({
  currentPosition: optional(
    integer({ minimum: 0, default: 0, description: 'The position to go on at.', examples: [0] }),
  ),
});

export const TicketRotationSimulation = object({
  count: optional(
    integer({ minimum: 1, maximum: 1000, default: 10, description: 'How many turns.', examples: [18] }),
  ),
  userRotationArray: optional(RotationMembersInput),
});

const { userId, email, name: memberName } = RotationMember.properties;

/** The next turns of a rotation, none of them taken, and who gets none. */
export const PreviewedTurns = object({
  data: array(
    object({
      slot: integer({ description: 'How many turns come before it, since the last reset.', examples: [41] }),
      position: integer({ description: 'Its index in the weighted rotation.', examples: [5] }),
      userId,
      email,
      name: memberName,
    }),
  ),
  skipped: array(object({ userId, email, name: memberName, reason: SkippedMember.properties.reason })),
});
export type PreviewedTurns = Static<typeof PreviewedTurns>;
