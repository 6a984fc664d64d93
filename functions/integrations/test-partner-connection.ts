import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { mintId } from '../../shared/id/mint.ts';
import { requestWrites } from '../../shared/partner/partner-request.ts';
import { connections } from '../../shared/partner/store.ts';

export default endpoint({
  method: 'POST',
  path: '/integrations/partner/connection/test',
  permission: 'writeIntegrations',
  ...emptyBody,
  response: Message,
  success: 'accepted',
  errors: ['partner_not_connected', 'partner_inactive'],
  writes: true,
  summary: 'Send a test request to the partner',
  description:
    'Queues a signed POST to `{url}/test`. GET /integrations/partner/connection shows the result as health.',
  read: ({ account }) => connections.getActive(account),
  decide: ({ account, now }, connection) => ({
    response: { message: 'A test request is being sent. See GET /integrations/partner/connection.' },
    writes: [
      connections.unchanged(connection),
      ...requestWrites(account, `test-${mintId(now)}`, { request: 'test' }, now),
    ],
    events: [],
  }),
});
