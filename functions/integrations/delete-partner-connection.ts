import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { connectionChanged } from '../../shared/partner/events.ts';
import { partnerRequests } from '../../shared/partner/keys.ts';
import { PartnerConnection } from '../../shared/partner/schema.ts';
import { showConnection } from '../../shared/partner/show-connection.ts';
import { connections } from '../../shared/partner/store.ts';
import { markDueWrites } from '../../shared/work-queue/enqueue.ts';

export default endpoint({
  method: 'DELETE',
  path: '/integrations/partner/connection',
  permission: 'writeIntegrations',
  response: PartnerConnection,
  errors: ['not_found'],
  happenings: ['partner_connection_deleted'],
  destructive: true,
  summary: 'Delete the connection to the partner',
  description: 'Waiting requests to the partner fail. Submitted applications keep their partner status.',
  read: ({ account }) => connections.getWithHealth(account),
  decide: ({ account, now }, withHealth) => ({
    response: showConnection(withHealth, now),
    // The work queue must run so that its waiting requests fail.
    writes: [...connections.delete(withHealth.connection), ...markDueWrites(partnerRequests(account), now)],
    events: connectionChanged('partner_connection_deleted', withHealth.connection),
  }),
});
