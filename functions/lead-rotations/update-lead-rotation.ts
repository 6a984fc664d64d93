import { updated } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { LeadRotation, LeadRotationPatch } from '../../shared/lead-rotations/lead-rotation.ts';
import { leadRotations, showRotation } from '../../shared/lead-rotations/lead-rotations.ts';
import { readMembers } from '../../shared/rotations/rotation-members.ts';
import { resetTurns } from '../../shared/rotations/rules.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';
import { sideBySide } from '../../shared/table/side-by-side.ts';
import { teams } from '../../shared/teams/teams.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/lead-rotations/{id}',
    permission: 'writeLeadRotations',
    params: RecordParams,
    body: LeadRotationPatch,
    response: LeadRotation,
    refuses: ['team_unknown', 'rotation_invalid', 'position_out_of_range'],
    announces: ['lead_rotation_updated'],
    summary: 'Change the given fields of a lead rotation',
    description: 'Changing the members starts again at position 0, unless the body names another.',
  },
  {
    read: ({ account, params, body }) =>
      sideBySide([
        leadRotations.getShown(account, params.id),
        body.userRotationArray && readMembers(account, body.userRotationArray),
        typeof body.teamId === 'number' ? teams.find(account, body.teamId) : undefined,
      ]),
    decide: ({ body, caller, now }, [{ rotation, shown, eligible }, sent, team]) => {
      if (typeof body.teamId === 'number' && !team?.active) throw new Refusal('team_unknown');
      const { currentPosition: asked, ...fields } = body;
      const next = sent ?? { members: rotation.userRotationArray, eligible };
      const { turns, currentPosition } = resetTurns(rotation, next, asked, shown.currentPosition);
      const change = { ...fields, userRotationArray: sent?.members, ...turns };
      const after = revise(rotation, change, caller.actor.user, now);
      const answer = showRotation(after, currentPosition);
      const events = updated('lead_rotation_updated', 'lead_rotation', shown, answer);
      return { answer, writes: leadRotations.replace(rotation, after), events };
    },
  },
);
