import { endpoint } from '../../shared/http/endpoint.ts';
import { Lead, LeadParams, Reason } from '../../shared/leads/lead.ts';
import { leads } from '../../shared/leads/leads.ts';
import { judgeLead } from '../../shared/leads/qualification.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/leads/{leadId}/disqualify',
    permission: 'writeLeads',
    params: LeadParams,
    body: Reason,
    bodyOptional: true,
    response: Lead,
    announces: ['lead_disqualified'],
    summary: 'Disqualify a lead',
  },
  {
    read: ({ account, params }) => leads.get(account, params.leadId),
    decide: ({ body, caller, now }, lead) => {
      const { after, events } = judgeLead(lead, 'disqualified', body.reason, caller.actor.user, now);
      return { answer: after, writes: leads.replace(lead, after), events };
    },
  },
);
