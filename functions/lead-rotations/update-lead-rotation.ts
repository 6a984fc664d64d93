import { updated } from '../../shared/events/emit.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { patchRotation } from '../../shared/rotations/rotation-endpoints.ts';
import { LeadRotation, LeadRotationPatch } from '../../shared/sales/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/sales/lead-rotations/store.ts';

export default patchRotation(leadRotations, {
  path: '/lead-rotations/{id}',
  permission: 'writeLeadRotations',
  body: LeadRotationPatch,
  response: LeadRotation,
  errors: ['team_unknown'],
  emits: ['lead_rotation_updated'],
  summary: 'Change the given fields of a lead rotation',
  refersTo: { field: 'teamId', check: ({ account, body }) => teams.requireActive(account, body.teamId) },
  set: ({ currentPosition, userRotationArray, ...fields }) => fields,
  events: (before, after) => updated(leadRotations, 'lead_rotation_updated', before, after),
});
