import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireOwnNew } from '../../shared/endpoints/reached.ts';
import { requireMayAssign } from '../../shared/people/users/rules.ts';
import { requireAssignee } from '../../shared/people/users/store.ts';
import {
  assignmentTo,
  nextAssignee,
  previewAssignee,
  readRotations,
} from '../../shared/sales/lead-rotations/assign-lead.ts';
import { newLead } from '../../shared/sales/leads/change-lead.ts';
import { leadCreated } from '../../shared/sales/leads/events.ts';
import { readChoices } from '../../shared/sales/leads/read-choices.ts';
import { Lead, LeadInput } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { checkTeamAndSource } from '../../shared/sales/leads/team-and-source.ts';
import { boolean, object, optional } from '../../shared/schema.ts';
import { ownerOfNew } from '../../shared/security/reach.ts';

export default endpoint({
  method: 'POST',
  path: '/leads',
  permission: 'writeLeads',
  reach: 'lead',
  query: object({ skipTeamAndSourceRequirement: optional(boolean({ default: false })) }),
  body: LeadInput,
  response: Lead,
  success: 'created',
  errors: ['team_required', 'team_unknown', 'lead_source_required', 'lead_source_unknown', 'user_unknown'],
  emits: ['lead_created'],
  rights: ['emails:find'],
  summary: 'Create a lead',
  read: async ({ account, body }) => {
    const choices = readChoices(account, body);
    const named = body.assignedTo === undefined ? undefined : requireAssignee(account, body.assignedTo);
    const rotations = named ? [] : readRotations(account);
    return Promise.all([choices, named, rotations]);
  },
  decide: async (request, [choices, named, rotations]) => {
    const { query, body, principal } = request;
    requireMayAssign(principal, body.assignedTo);
    checkTeamAndSource(body, choices, !query.skipTeamAndSourceRequirement);
    const { isLimited, owner } = ownerOfNew(principal, 'lead');
    const { assignedTo, unassigned } = named
      ? assignmentTo(named)
      : isLimited
        ? { assignedTo: owner }
        : await request.runOnce(
            () => nextAssignee(body.teamId, rotations),
            () => previewAssignee(body.teamId, rotations),
          );
    const lead = newLead(request, body, assignedTo);
    requireOwnNew(principal, 'lead', lead);
    return { response: lead, writes: leads.insert(lead), events: leadCreated(lead, unassigned) };
  },
});
