import { endpoint } from '../../shared/http/endpoint.ts';
import { judgeLead } from '../../shared/leads/rules.ts';
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
    decide: (request, lead) => {
      const { after, events } = judgeLead(lead, 'qualified', request.body.reason, request);
      return { response: after, writes: leads.replace(lead, after), events };
    },
  },
);
