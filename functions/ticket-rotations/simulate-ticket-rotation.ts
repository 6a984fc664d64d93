import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { recordNamed } from '../../shared/endpoints/record-endpoints.ts';
import { membersFrom, readNamedMembers } from '../../shared/rotations/read-members.ts';
import {
  PreviewedTurns,
  TicketRotationParams,
  TicketRotationSimulation,
} from '../../shared/support/ticket-rotations/schema.ts';
import { simulate } from '../../shared/support/ticket-rotations/simulate.ts';
import { ticketRotations } from '../../shared/support/ticket-rotations/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

const path = '/ticket-rotations/{id}/simulate';

export default endpoint({
  method: 'POST',
  path,
  permission: 'readTicketRotations',
  params: TicketRotationParams,
  body: TicketRotationSimulation,
  bodyOptional: true,
  response: PreviewedTurns,
  errors: ['rotation_invalid'],
  rights: ['emails:find'],
  summary: 'Preview the next assignments of a ticket rotation',
  description:
    'Does not advance the rotation. With userRotationArray, previews the assignments after a PATCH with these members. ' +
    'Also previews inactive rotations.',
  read: (input) =>
    inParallel([
      recordNamed(ticketRotations, { path }, input),
      input.body.userRotationArray && readNamedMembers(input.account, input.body.userRotationArray),
    ]),
  decide: ({ principal, body }, [{ rotation, progress }, named]) => {
    const members = named ? membersFrom(named, principal, rotation.userRotationArray) : progress;
    return { response: simulate(rotation, progress, members, body.count ?? 10) };
  },
});
