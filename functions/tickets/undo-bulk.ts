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
  summary: 'Undo a bulk operation',
  description:
    'Possible for 24 hours. Values changed since then are kept, and such a ticket reports changed_since. An undo is a new bulk operation: it does not turn back SLA clocks, and it can be undone too.',
  read: ({ account, params, now }) => readForUndo(account, params.bulkId, now),
  decide: async (request, targets) => ({ response: await runBulk(request, targets) }),
});
