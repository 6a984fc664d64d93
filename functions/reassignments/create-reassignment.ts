import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ReassignmentInput, ReassignmentJob } from '../../shared/support/reassignments/schema.ts';
import {
  readReassignable,
  requireMayReassign,
  startReassignment,
} from '../../shared/support/reassignments/start-reassignment.ts';

export default endpoint({
  method: 'POST',
  path: '/reassignments',
  permission: ['writeLeads', 'writeTickets'],
  body: ReassignmentInput,
  response: ReassignmentJob,
  success: 'accepted',
  errors: ['user_unknown'],
  writes: true,
  rights: ['emails:find'],
  destructive: true,
  summary: 'Reassign the records of a user who is not active or was removed',
  description:
    'The leads, open tickets, applications and merchants of the user are reassigned in the background, each with its events. ' +
    'GET /reassignments/{id} returns the progress. Applications and merchants also require writeApplications and ' +
    'writeMerchants: without one of them, these records keep their owner. The caller must see all leads and tickets, and ' +
    'reassigns applications and merchants only with access to all of them. By `rotation`, an application gets the assignee of its ' +
    'lead, and a merchant the owner of its application. If this user is not active, the rotation of leads chooses. ' +
    'Teams, participants and the underwriters of applications do not change. ' +
    'A user who was deleted and is created again has a new id. To give this user the records of the former id, send the former id as `from`.',
  read: ({ account, body }) => readReassignable(account, body),
  decide: (request, departure) => {
    requireMayReassign(request.principal, request.body, departure);
    const { reassignment, writes } = startReassignment(departure, request);
    return { response: reassignment, writes, events: [] };
  },
});
