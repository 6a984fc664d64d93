import { happened } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Lead, LeadParams } from '../../shared/leads/lead.ts';
import { leads } from '../../shared/leads/leads.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/leads/{leadId}',
    permission: 'writeLeads',
    params: LeadParams,
    response: Lead,
    announces: ['lead_deleted'],
    summary: 'Delete a lead and its audit log',
  },
  {
    read: ({ account, params }) => leads.get(account, params.leadId),
    decide: ({ now }, lead) => ({
      answer: lead,
      writes: leads.bury(lead, now),
      events: happened('lead_deleted', 'lead', lead),
    }),
  },
);
