import { teams } from '../../shared/people/teams/store.ts';
import { createRotation } from '../../shared/rotations/rotation-endpoints.ts';
import { LeadRotation, LeadRotationInput } from '../../shared/sales/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/sales/lead-rotations/store.ts';

export default createRotation(leadRotations, {
  path: '/lead-rotations',
  permission: 'writeLeadRotations',
  body: LeadRotationInput,
  response: LeadRotation,
  errors: ['team_unknown'],
  emits: 'lead_rotation_created',
  summary: 'Create a lead rotation',
  refersTo: ({ account, body }) => teams.requireActive(account, body.teamId),
  rotation: ({ currentPosition, ...fields }, initial) => ({ status: 'active', ...fields, ...initial }),
});
