import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { joinTypes, showMapping } from '../../shared/support/ticket-type-mappings/join-types.ts';
import { TicketTypeMappings } from '../../shared/support/ticket-type-mappings/schema.ts';
import { mappings } from '../../shared/support/ticket-type-mappings/store.ts';

export default endpoint({
  method: 'GET',
  path: '/integrations/partner/ticket-type-mappings',
  permission: 'readIntegrations',
  response: TicketTypeMappings,
  readsMany: true,
  summary: 'List the mappings of partner categories to ticket types',
  description: 'Returns all mappings, newest first.',
  read: async ({ account }) => joinTypes(account, await mappings.all(account)),
  decide: ({ principal }, joined) => {
    const data = joined.map(({ stored, type }) => showMapping(principal, stored, type));
    return { response: { data, totalCount: data.length } };
  },
});
