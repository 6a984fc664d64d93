import { switched } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Lead, LeadParams } from '../../shared/leads/lead.ts';
import { leads } from '../../shared/leads/leads.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/leads/{leadId}/archive',
    permission: 'writeLeads',
    params: LeadParams,
    response: Lead,
    announces: ['lead_unarchived'],
    summary: 'Take a lead out of the archive',
  },
  {
    read: ({ account, params }) => leads.get(account, params.leadId),
    decide: ({ caller, now }, lead) => {
      const after = revise(lead, { archived: false }, caller.actor.user, now);
      const events = switched('lead_unarchived', 'lead', lead, after);
      return { answer: after, writes: leads.replace(lead, after), events };
    },
  },
);
