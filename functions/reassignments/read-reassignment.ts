import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ReassignmentJob } from '../../shared/support/reassignments/schema.ts';
import { readReassignment, showReassignment } from '../../shared/support/reassignments/start-reassignment.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/reassignments/{id}',
  permission: ['readLeads', 'readTickets'],
  params: RecordParams,
  response: ReassignmentJob,
  summary: 'Read the progress of a reassignment',
  description: 'Reassignments are kept for 30 days.',
  read: ({ account, params, now }) => readReassignment(account, params.id, now),
  decide: ({ principal }, { job, counts }) => ({
    response: showReassignment(job, counts, principal.permissions),
  }),
});
