import { createRotation } from '../../shared/http/rotation-endpoints.ts';
import { LeadRotation, LeadRotationInput } from '../../shared/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/lead-rotations/store.ts';
import { teams } from '../../shared/teams/store.ts';

export default createRotation(leadRotations, {
  path: '/lead-rotations',
  permission: 'writeLeadRotations',
  body: LeadRotationInput,
  response: LeadRotation,
  errors: ['team_unknown'],
  emits: 'lead_rotation_created',
  summary: 'Create a lead rotation',
  refersTo: ({ account, body }) => teams.requireActive(account, body.teamId),
  rotation: ({ currentPosition, ...fields }, begun) => ({ status: 'active', ...fields, ...begun }),
});
