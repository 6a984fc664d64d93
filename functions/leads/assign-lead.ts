import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { requireMayAssign } from '../../shared/people/users/rules.ts';
import { requireAssignee } from '../../shared/people/users/store.ts';
import {
  assignmentTo,
  nextAssignee,
  previewAssignee,
  readRotations,
} from '../../shared/sales/lead-rotations/assign-lead.ts';
import { leadAssigned } from '../../shared/sales/leads/events.ts';
import { Lead, LeadAssignment, LeadParams } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/leads/{leadId}/assign',
  permission: 'writeLeads',
  reach: 'lead',
  params: LeadParams,
  body: LeadAssignment,
  bodyOptional: true,
  response: Lead,
  errors: ['user_unknown'],
  emits: ['lead_assigned'],
  rights: ['emails:find'],
  summary: 'Assign a lead to a user or by rotation, or remove the assignee',
  description: 'If assignedTo is omitted, the rotation chooses the user. Null removes the assignee.',
  read: ({ account, params, body, ...input }) =>
    inParallel([
      reached(input, 'lead', leads.get(account, params.leadId)),
      body.assignedTo ? requireAssignee(account, body.assignedTo) : undefined,
      body.assignedTo === undefined ? readRotations(account) : [],
    ]),
  decide: async (request, [lead, named, rotations]) => {
    requireMayAssign(request.principal, request.body.assignedTo);
    const { assignedTo = null } =
      request.body.assignedTo === undefined
        ? await request.runOnce(
            () => nextAssignee(lead.teamId, rotations),
            () => previewAssignee(lead.teamId, rotations),
          )
        : assignmentTo(named);
    const after = revise(lead, { assignedTo }, request);
    return { response: after, writes: leads.replace(lead, after), events: leadAssigned(lead, after) };
  },
});
