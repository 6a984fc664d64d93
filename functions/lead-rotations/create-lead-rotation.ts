import { created } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { LeadRotation, LeadRotationInput } from '../../shared/lead-rotations/lead-rotation.ts';
import { leadRotations, showRotation } from '../../shared/lead-rotations/lead-rotations.ts';
import { readMembers } from '../../shared/rotations/rotation-members.ts';
import { checkPosition } from '../../shared/rotations/rules.ts';
import { positionOf } from '../../shared/rotations/weighted-sequence.ts';
import { mintId } from '../../shared/table/mint.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { teams } from '../../shared/teams/teams.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/lead-rotations',
    permission: 'writeLeadRotations',
    body: LeadRotationInput,
    response: LeadRotation,
    success: 'created',
    refuses: ['team_unknown', 'rotation_invalid', 'position_out_of_range'],
    announces: ['lead_rotation_created'],
    summary: 'Create a lead rotation',
  },
  {
    read: ({ account, body }) =>
      Promise.all([
        readMembers(account, body.userRotationArray),
        body.teamId === undefined ? undefined : teams.find(account, body.teamId),
      ]),
    decide: ({ body, account, caller, now }, [{ members: userRotationArray, eligible }, team]) => {
      if (body.teamId !== undefined && !team?.active) throw new Refusal('team_unknown');
      const { currentPosition = 0, ...fields } = body;
      checkPosition(currentPosition, userRotationArray);
      const origin = newRecord({ id: mintId(now), account, by: caller.actor.user, now });
      const turns = { slotEpoch: 1, slotStart: currentPosition };
      const rotation = { status: 'active' as const, ...fields, ...origin, userRotationArray, ...turns };
      const shown = showRotation(rotation, positionOf(currentPosition, eligible));
      const events = created('lead_rotation_created', 'lead_rotation', shown);
      return { answer: shown, writes: leadRotations.insert(rotation), events };
    },
  },
);
