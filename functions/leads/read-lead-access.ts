import { accessEndpoint } from '../../shared/people/record-access/access-endpoint.ts';
import { LeadParams } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';

export default accessEndpoint({
  type: 'lead',
  path: '/leads/{leadId}',
  params: LeadParams,
  get: (account, { leadId }) => leads.get(account, leadId),
  idIn: ({ leadId }) => leadId,
});
