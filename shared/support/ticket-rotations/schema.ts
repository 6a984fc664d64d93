import {
  CurrentPosition,
  InactiveMembers,
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
import {
  array,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
  uniqueId,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const name = string({ minLength: 1, maxLength: 200, examples: ['Terminal faults'] });
const ticketTypeId = uniqueId('tty', {
  description: 'Ticket type whose tickets the rotation assigns, unless the type sets its own rotationId.',
});

/**
 * Why a rotation found no assignee.
 * - `rotation_gone`: the rotation of the ticket type was deleted
 * - `rotation_inactive`: the rotation of the ticket type is inactive
 * - `no_rotation`: the ticket type sets no rotation, and no active rotation assigns tickets of this type
 * - `nobody_eligible`: no member of the rotation is an active member of the account
 */
export const noTurnReasons = [
  'rotation_gone',
  'rotation_inactive',
  'no_rotation',
  'nobody_eligible',
] as const;
export type NoTurnReason = (typeof noTurnReasons)[number];

export const TicketRotation = object({
  ...recordFields,
  uniqueId: uniqueId('rot', { readOnly: true }),
  name,
  ticketTypeId: optional(ticketTypeId),
  status: RotationStatus,
  userRotationArray: RotationMembers,
  currentPosition: CurrentPosition,
  inactiveMembers: InactiveMembers,
});
export type TicketRotation = Static<typeof TicketRotation>;

/** A stored rotation. Its `uniqueId` is derived from its id, and its position is stored in a separate item. */
export type StoredTicketRotation = Omit<TicketRotation, 'uniqueId' | 'currentPosition' | 'inactiveMembers'> &
  RotationState;

/** The path accepts the `uniqueId` or the id. */
export const TicketRotationParams = object({ id: uniqueId('rot') });

export const TicketRotationInput = object({
  name,
  ticketTypeId: optional(ticketTypeId),
  status: optional(NewRotationStatus),
  ...newTurnFields,
});

export const TicketRotationPatch = object({
  name: optional(name),
  ticketTypeId: optional(nullable(ticketTypeId)),
  status: optional(RotationStatus),
  ...turnFields,
});

export const TicketRotationReset = object({
  currentPosition: optional(
    integer({ minimum: 0, default: 0, description: 'Index of the next slot.', examples: [0] }),
  ),
});

export const TicketRotationSimulation = object({
  count: optional(
    integer({ minimum: 1, maximum: 1000, default: 10, description: 'Number of slots.', examples: [18] }),
  ),
  userRotationArray: optional(RotationMembersInput),
});

const { userId, email, name: memberName } = RotationMember.properties;

export const PreviewedTurns = object({
  data: array(
    object({
      slot: integer({
        description: 'Number of slots used before this slot since the last reset.',
        examples: [41],
      }),
      position: integer({ description: 'Index in the weighted rotation.', examples: [5] }),
      userId,
      email,
      name: memberName,
    }),
  ),
  skipped: array(object({ userId, email, name: memberName, reason: SkippedMember.properties.reason })),
  reason: optional(
    oneOf(['nobody_eligible'], {
      description:
        'Why `data` is empty: no member of the rotation is an active member of the account. `skipped` lists the members.',
    }),
  ),
});
export type PreviewedTurns = Static<typeof PreviewedTurns>;
