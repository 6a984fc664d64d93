import { ApiError } from '../../shared/errors.ts';
import { created } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { mintId } from '../../shared/id/mint.ts';
import { LeadRotation, LeadRotationInput } from '../../shared/lead-rotations/schema.ts';
import { leadRotations, showRotation } from '../../shared/lead-rotations/store.ts';
import { readMembers } from '../../shared/round-robin/read-members.ts';
import { checkPosition } from '../../shared/round-robin/rules.ts';
import { positionOf } from '../../shared/round-robin/weighted-sequence.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
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
      Promise.all([
        readMembers(account, body.userRotationArray),
        body.teamId === undefined ? undefined : teams.find(account, body.teamId),
      ]),
    decide: ({ body, account, principal, now }, [{ members: userRotationArray, eligible }, team]) => {
      if (body.teamId !== undefined && !team?.active) throw new ApiError('team_unknown');
      const { currentPosition = 0, ...fields } = body;
      checkPosition(currentPosition, userRotationArray);
      const origin = newRecord({ id: mintId(now), account, by: principal.actor.user, now });
      const turns = { slotEpoch: 1, slotStart: currentPosition };
      const rotation = { status: 'active' as const, ...fields, ...origin, userRotationArray, ...turns };
      const shown = showRotation(rotation, positionOf(currentPosition, eligible));
      const events = created(leadRotations, 'lead_rotation_created', shown);
      return { response: shown, writes: leadRotations.insert(rotation), events };
    },
  },
);
