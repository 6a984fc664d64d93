import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Lead, LeadParams, Reason } from '../../shared/sales/leads/schema.ts';
import { setQualification } from '../../shared/sales/leads/set-qualification.ts';
import { leads } from '../../shared/sales/leads/store.ts';

export default endpoint({
  method: 'POST',
  path: '/leads/{leadId}/qualify',
  permission: 'writeLeads',
  params: LeadParams,
  body: Reason,
  bodyOptional: true,
  response: Lead,
  emits: ['lead_qualified'],
  summary: 'Qualify a lead',
  read: ({ account, params }) => leads.get(account, params.leadId),
  decide: (request, lead) => setQualification(lead, 'qualified', request),
});
