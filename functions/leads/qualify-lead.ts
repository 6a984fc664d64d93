import { endpoint } from '../../shared/http/endpoint.ts';
import { judgeLead } from '../../shared/leads/judge-lead.ts';
import { Lead, LeadParams, Reason } from '../../shared/leads/schema.ts';
import { leads } from '../../shared/leads/store.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/leads/{leadId}/qualify',
    permission: 'writeLeads',
    params: LeadParams,
    body: Reason,
    bodyOptional: true,
    response: Lead,
    emits: ['lead_qualified'],
    summary: 'Qualify a lead',
  },
  {
    read: ({ account, params }) => leads.get(account, params.leadId),
    decide: (request, lead) => judgeLead(lead, 'qualified', request),
  },
);
