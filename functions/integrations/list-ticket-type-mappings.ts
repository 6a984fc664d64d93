import { endpoint } from '../../shared/http/endpoint.ts';
import { showMappings } from '../../shared/ticket-type-mappings/join-types.ts';
import { TicketTypeMappings } from '../../shared/ticket-type-mappings/schema.ts';
import { mappings } from '../../shared/ticket-type-mappings/store.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/integrations/partner/ticket-type-mappings',
    permission: 'readIntegrations',
    response: TicketTypeMappings,
    summary: 'List which ticket types the categories of a partner map to',
    description: 'All of them, newest first. A ticket type that was deleted is null.',
  },
  {
    wide: true,
    read: async ({ account }) => showMappings(account, await mappings.all(account)),
    decide: (_, data) => ({ response: { data, totalCount: data.length } }),
  },
);
