import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { requireMayAssign } from '../../shared/people/users/rules.ts';
import { requireAssignee } from '../../shared/people/users/store.ts';
import { changedLead } from '../../shared/sales/leads/change-lead.ts';
import { leadUpdated } from '../../shared/sales/leads/events.ts';
import { withoutHiddenDuplicates } from '../../shared/sales/leads/hide-duplicates.ts';
import { readChoices } from '../../shared/sales/leads/read-choices.ts';
import { Lead, LeadParams, LeadPatch, LeadWithAudit } from '../../shared/sales/leads/schema.ts';
import { leads, leadsWithAudit } from '../../shared/sales/leads/store.ts';
import {
  changesTeamOrSource,
  checkTeamAndSource,
  teamAndSourceAfter,
} from '../../shared/sales/leads/team-and-source.ts';
import { mayReach } from '../../shared/security/reach.ts';
import { readAndCheck } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'PATCH',
  path: '/leads/{leadId}',
  permission: 'writeLeads',
  reach: 'lead',
  params: LeadParams,
  body: LeadPatch,
  response: Lead,
  record: LeadWithAudit,
  errors: ['team_required', 'team_unknown', 'lead_source_required', 'lead_source_unknown', 'user_unknown'],
  emits: ['lead_updated', 'lead_assigned'],
  rights: ['emails:find'],
  summary: 'Change the given fields of a lead',
  description: 'Null clears an optional field.',
  read: async ({ account, params, body, ...input }) => {
    const [lead, assignee] = await readAndCheck(
      reached(input, 'lead', leads.get(account, params.leadId)),
      body.assignedTo ? requireAssignee(account, body.assignedTo) : undefined,
      ({ assignedTo }) => body.assignedTo === assignedTo,
    );
    const choices = changesTeamOrSource(lead, body)
      ? await readChoices(account, { ...lead, ...body })
      : undefined;
    return { lead, assignee, choices };
  },
  decide: async (request, { lead, assignee, choices }) => {
    const { body, account, principal } = request;
    requireMayAssign(principal, body.assignedTo);
    const mayRead = mayReach(principal, 'lead', 'read', lead);
    await request.checkReadOnly(async () => {
      const shown = mayRead ? await leadsWithAudit.get(account, lead.id) : lead;
      return withoutHiddenDuplicates(shown, account, principal);
    });
    if (choices) checkTeamAndSource(teamAndSourceAfter(lead, body, choices), choices, true);
    const change = { ...body, ...(assignee && { assignedTo: String(assignee.id) }) };
    const after = changedLead(lead, change, request);
    return { response: after, writes: leads.replace(lead, after), events: leadUpdated(lead, after) };
  },
});
