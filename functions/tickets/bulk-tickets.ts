import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireMayAssign } from '../../shared/people/users/rules.ts';
import { bulkChangeFor } from '../../shared/support/tickets/bulk-change.ts';
import { BulkInput, BulkResult } from '../../shared/support/tickets/bulk-schema.ts';
import { distinctTargets, readReferenced, runBulk } from '../../shared/support/tickets/run-bulk.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/tickets/bulk',
  permission: ['bulkTickets', 'writeTickets'],
  reach: 'ticket',
  body: BulkInput,
  response: BulkResult,
  errors: ['user_unknown', 'team_unknown'],
  emits: ['ticket_updated', 'ticket_assigned', 'ticket_status_changed'],
  commitsParts: true,
  rights: ['emails:find'],
  summary: 'Apply one action to many tickets',
  description:
    'Changes each ticket in a separate transaction, with the same rules and events as PATCH /tickets/{ticketId}. If a ticket fails, its result contains the error, and the other tickets are still changed. A repeated request with the same Idempotency-Key continues where the first request stopped and changes no ticket twice.',
  read: async ({ account, body }) => {
    const [change, sent] = await inParallel([
      bulkChangeFor(account, body),
      readReferenced(account, body.ticketIds),
    ]);
    return { change, sent };
  },
  decide: async (request, { change, sent }) => {
    const { principal, body } = request;
    if (body.action === 'assign') requireMayAssign(principal, body.payload.assignedTo);
    const targets = distinctTargets(sent, principal);
    const step = () => ({ change });
    return {
      response: await runBulk(
        request,
        targets.map((target) => ({ ...target, step })),
      ),
    };
  },
});
