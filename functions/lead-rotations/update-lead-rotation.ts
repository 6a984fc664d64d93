import { updated } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadRotation, LeadRotationPatch } from '../../shared/lead-rotations/schema.ts';
import { leadRotations, showRotation } from '../../shared/lead-rotations/store.ts';
import { readMembers } from '../../shared/round-robin/read-members.ts';
import { resetTurns } from '../../shared/round-robin/rules.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';
import { sideBySide } from '../../shared/table/side-by-side.ts';
import { teams } from '../../shared/teams/store.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/lead-rotations/{id}',
    permission: 'writeLeadRotations',
    params: RecordParams,
    body: LeadRotationPatch,
    response: LeadRotation,
    errors: ['team_unknown', 'rotation_invalid', 'position_out_of_range'],
    emits: ['lead_rotation_updated'],
    summary: 'Change the given fields of a lead rotation',
    description: 'Changing the members starts again at position 0, unless the body names another.',
  },
  {
    read: ({ account, params, body }) =>
      sideBySide([
        leadRotations.get(account, params.id),
        body.userRotationArray && readMembers(account, body.userRotationArray),
        teams.requireActive(account, body.teamId),
      ]),
    decide: (request, [{ rotation, shown, eligible }, sent]) => {
      const { currentPosition: wanted, ...fields } = request.body;
      const next = sent ?? { members: rotation.userRotationArray, eligible };
      const { turns, currentPosition } = resetTurns(rotation, next, wanted, shown.currentPosition);
      const change = { ...fields, userRotationArray: sent?.members, ...turns };
      const after = revise(rotation, change, request);
      const response = showRotation(after, currentPosition);
      const events = updated(leadRotations, 'lead_rotation_updated', shown, response);
      return { response, writes: leadRotations.replace(rotation, after), events };
    },
  },
);
