import { switched } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Lead, LeadParams } from '../../shared/leads/lead.ts';
import { leads } from '../../shared/leads/leads.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/leads/{leadId}/archive',
    permission: 'writeLeads',
    params: LeadParams,
    response: Lead,
    announces: ['lead_archived'],
    summary: 'Archive a lead',
  },
  {
    read: ({ account, params }) => leads.get(account, params.leadId),
    decide: ({ caller, now }, lead) => {
      const after = revise(lead, { archived: true }, caller.actor.user, now);
      const events = switched('lead_archived', 'lead', lead, after);
      return { answer: after, writes: leads.replace(lead, after), events };
    },
  },
);
