import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { showMappings } from '../../shared/support/integrations/join-types.ts';
import { TicketTypeMappings } from '../../shared/support/integrations/schema.ts';
import { mappings } from '../../shared/support/integrations/store.ts';

export default endpoint({
  method: 'GET',
  path: '/integrations/partner/ticket-type-mappings',
  permission: 'readIntegrations',
  response: TicketTypeMappings,
  readsMany: true,
  summary: 'List the mappings of partner categories to ticket types',
  description: 'Returns all mappings, newest first. ticketType is null if the type was deleted.',
  read: async ({ account }) => showMappings(account, await mappings.all(account)),
  decide: (_, data) => ({ response: { data, totalCount: data.length } }),
});
