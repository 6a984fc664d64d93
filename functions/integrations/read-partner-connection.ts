import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { partnerRequests } from '../../shared/partner/keys.ts';
import { PartnerConnection } from '../../shared/partner/schema.ts';
import { showConnection } from '../../shared/partner/show-connection.ts';
import { connections } from '../../shared/partner/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { waitingOf } from '../../shared/work-queue/list-work-items.ts';

export default endpoint({
  method: 'GET',
  path: '/integrations/partner/connection',
  permission: 'readIntegrations',
  response: PartnerConnection,
  errors: ['not_found'],
  summary: 'Read the connection to the partner and its health',
  read: ({ account }) =>
    inParallel([connections.getWithHealth(account), waitingOf(partnerRequests(account))]),
  decide: ({ now }, [withHealth, waiting]) => ({ response: showConnection(withHealth, now, waiting) }),
});
