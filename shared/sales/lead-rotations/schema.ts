import {
  CurrentPosition,
  InactiveMembers,
  NewRotationStatus,
  newTurnFields,
  RotationMembers,
  RotationStatus,
  turnFields,
} from '../../rotations/schema.ts';
import type { RotationState } from '../../rotations/slots.ts';
import { nullable, object, optional, recordId, type Static, string } from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const name = string({ minLength: 1, maxLength: 200, examples: ['Inbound leads'] });
const teamId = recordId({
  description:
    'The team whose leads are assigned. If omitted, the rotation assigns leads without a team, and leads of teams without an active rotation.',
});

/** Assigns leads by smooth weighted round-robin. */
export const LeadRotation = object({
  ...recordFields,
  name,
  teamId: optional(teamId),
  status: RotationStatus,
  userRotationArray: RotationMembers,
  currentPosition: CurrentPosition,
  inactiveMembers: InactiveMembers,
});
export type LeadRotation = Static<typeof LeadRotation>;

/** A rotation as stored. A separate item contains the counter for the position. */
export type StoredLeadRotation = Omit<LeadRotation, 'currentPosition' | 'inactiveMembers'> & RotationState;

export const LeadRotationInput = object({
  name,
  teamId: optional(teamId),
  status: optional(NewRotationStatus),
  ...newTurnFields,
});

export const LeadRotationPatch = object({
  name: optional(name),
  teamId: optional(nullable(teamId)),
  status: optional(RotationStatus),
  ...turnFields,
});
