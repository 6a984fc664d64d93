import { reached } from '../../shared/endpoints/reached.ts';
import { accessEndpoint } from '../../shared/people/record-access/access-endpoint.ts';
import { LeadParams } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';

export default accessEndpoint({
  type: 'lead',
  path: '/leads/{leadId}',
  params: LeadParams,
  read: (input, { leadId }) => reached(input, 'lead', leads.get(input.account, leadId)),
});
