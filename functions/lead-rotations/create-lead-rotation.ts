import { created } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadRotation, LeadRotationInput } from '../../shared/lead-rotations/schema.ts';
import { leadRotations, showRotation } from '../../shared/lead-rotations/store.ts';
import { readMembers } from '../../shared/round-robin/read-members.ts';
import { checkPosition } from '../../shared/round-robin/rules.ts';
import { positionOf } from '../../shared/round-robin/weighted-sequence.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { sideBySide } from '../../shared/table/side-by-side.ts';
import { teams } from '../../shared/teams/store.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/lead-rotations',
    permission: 'writeLeadRotations',
    body: LeadRotationInput,
    response: LeadRotation,
    success: 'created',
    errors: ['team_unknown', 'rotation_invalid', 'position_out_of_range'],
    emits: ['lead_rotation_created'],
    summary: 'Create a lead rotation',
  },
  {
    read: ({ account, body }) =>
      sideBySide([readMembers(account, body.userRotationArray), teams.requireActive(account, body.teamId)]),
    decide: (request, [{ members: userRotationArray, eligible }]) => {
      const { currentPosition = 0, ...fields } = request.body;
      checkPosition(currentPosition, userRotationArray);
      const turns = { slotEpoch: 1, slotStart: currentPosition };
      const rotation = {
        status: 'active' as const,
        ...fields,
        ...newRecord(request),
        userRotationArray,
        ...turns,
      };
      const shown = showRotation(rotation, positionOf(currentPosition, eligible));
      const events = created(leadRotations, 'lead_rotation_created', shown);
      return { response: shown, writes: leadRotations.insert(rotation), events };
    },
  },
);
