import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireMayAssign } from '../../shared/people/users/rules.ts';
import { bulkChangeFor } from '../../shared/support/tickets/bulk-change.ts';
import { BulkInput, BulkResult } from '../../shared/support/tickets/bulk-schema.ts';
import { readTargets, runBulk } from '../../shared/support/tickets/run-bulk.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/tickets/bulk',
  permission: ['bulkTickets', 'writeTickets'],
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
    const [change, targets] = await inParallel([
      bulkChangeFor(account, body),
      readTargets(account, body.ticketIds),
    ]);
    return targets.map((target) => ({ ...target, step: () => ({ change }) }));
  },
  decide: async (request, targets) => {
    const { principal, body } = request;
    if (body.action === 'assign') requireMayAssign(principal, body.payload.assignedTo);
    return { response: await runBulk(request, targets) };
  },
});
