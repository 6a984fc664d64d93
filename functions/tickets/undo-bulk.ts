import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { notFound } from '../../shared/errors.ts';
import { hides } from '../../shared/security/reach.ts';
import { BulkParams, BulkResult } from '../../shared/support/tickets/bulk-schema.ts';
import { runBulk } from '../../shared/support/tickets/run-bulk.ts';
import { readForUndo } from '../../shared/support/tickets/undo-bulk.ts';

export default endpoint({
  method: 'POST',
  path: '/tickets/bulk/{bulkId}/undo',
  permission: ['bulkTickets', 'writeTickets'],
  reach: 'ticket',
  params: BulkParams,
  response: BulkResult,
  emits: ['ticket_updated', 'ticket_assigned', 'ticket_status_changed'],
  commitsParts: true,
  summary: 'Undo a bulk operation',
  description:
    'An operation can be undone for 24 hours. If a value was changed after the operation, the undo keeps the new value and reports the error changed_since for the ticket. An undo does not reset SLA clocks. The undo is a new bulk operation and can be undone too. Tickets that are hidden from the caller are left out.',
  read: ({ account, params, now }) => readForUndo(account, params.bulkId, now),
  decide: async (request, targets) => {
    // The operation may be that of another user, who named tickets that are hidden from the caller.
    const shown = targets.filter(({ ticket }) => !hides(request.principal, 'ticket', ticket));
    if (shown.length === 0) throw notFound('bulk', request.params.bulkId);
    return { response: await runBulk(request, shown) };
  },
});
