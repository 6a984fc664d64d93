import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { BulkParams, BulkResult } from '../../shared/support/tickets/bulk-schema.ts';
import { runBulk } from '../../shared/support/tickets/run-bulk.ts';
import { readForUndo } from '../../shared/support/tickets/undo-bulk.ts';

export default endpoint({
  method: 'POST',
  path: '/tickets/bulk/{bulkId}/undo',
  permission: ['bulkTickets', 'writeTickets'],
  params: BulkParams,
  response: BulkResult,
  emits: ['ticket_updated', 'ticket_assigned', 'ticket_status_changed'],
  commitsParts: true,
  summary: 'Take back what a bulk did',
  description:
    'Within 24 hours. What others have changed since stays as it is: such a ticket says changed_since. It is a bulk itself, now, so no SLA clock is turned back, and may be undone too.',
  read: ({ account, params, now }) => readForUndo(account, params.bulkId, now),
  decide: async (request, targets) => ({ response: await runBulk(request, targets) }),
});
