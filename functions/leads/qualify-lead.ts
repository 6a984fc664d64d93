import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { Lead, LeadParams, Reason } from '../../shared/sales/leads/schema.ts';
import { setQualification } from '../../shared/sales/leads/set-qualification.ts';
import { leads } from '../../shared/sales/leads/store.ts';

export default endpoint({
  method: 'POST',
  path: '/leads/{leadId}/qualify',
  permission: 'writeLeads',
  reach: 'lead',
  params: LeadParams,
  body: Reason,
  bodyOptional: true,
  response: Lead,
  emits: ['lead_qualified'],
  summary: 'Qualify a lead',
  read: (input) => reached(input, 'lead', leads.get(input.account, input.params.leadId)),
  decide: (request, lead) => setQualification(lead, 'qualified', request),
});
