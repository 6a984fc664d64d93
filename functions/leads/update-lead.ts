import { endpoint } from '../../shared/http/endpoint.ts';
import { leadSources } from '../../shared/lead-sources/lead-sources.ts';
import { leadUpdated } from '../../shared/leads/announce.ts';
import { Lead, LeadParams, LeadPatch } from '../../shared/leads/lead.ts';
import { leads } from '../../shared/leads/leads.ts';
import { checkPlacement, isMoving, placementAfter, readChoices } from '../../shared/leads/placement.ts';
import { revise } from '../../shared/table/revise.ts';
import { sideBySide } from '../../shared/table/side-by-side.ts';
import { teams } from '../../shared/teams/teams.ts';
import { memberNamed } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/leads/{leadId}',
    permission: 'writeLeads',
    params: LeadParams,
    body: LeadPatch,
    response: Lead,
    refuses: ['team_required', 'team_unknown', 'lead_source_required', 'lead_source_unknown', 'user_unknown'],
    announces: ['lead_updated', 'lead_assigned'],
    summary: 'Change the given fields of a lead',
    description: 'Null clears a field that need not be there.',
  },
  {
    read: async ({ account, params, body }) => {
      const [lead, assignee] = await sideBySide([
        leads.get(account, params.leadId),
        body.assignedTo ? memberNamed(account, body.assignedTo) : undefined,
      ]);
      const stores = { teams, sources: leadSources };
      const choices = isMoving(body) ? await readChoices(account, { ...lead, ...body }, stores) : undefined;
      return { lead, assignee, choices };
    },
    decide: ({ body, caller, now }, { lead, assignee, choices }) => {
      if (choices) checkPlacement(placementAfter(lead, body, choices), choices, true);
      const change = assignee ? { ...body, assignedTo: String(assignee.id) } : body;
      const after = revise(lead, change, caller.actor.user, now);
      return { answer: after, writes: leads.replace(lead, after), events: leadUpdated(lead, after) };
    },
  },
);
