import { endpoint } from '../../shared/http/endpoint.ts';
import { givenTo, nextAssignee, readRotations } from '../../shared/lead-rotations/assignment.ts';
import { leadAssigned } from '../../shared/leads/announce.ts';
import { Lead, LeadParams } from '../../shared/leads/lead.ts';
import { leads } from '../../shared/leads/leads.ts';
import { nullable, object, optional, string } from '../../shared/schema.ts';
import { revise } from '../../shared/table/revise.ts';
import { sideBySide } from '../../shared/table/side-by-side.ts';
import { memberNamed } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/leads/{leadId}/assign',
    permission: 'writeLeads',
    params: LeadParams,
    body: object({
      assignedTo: optional(nullable(string({ minLength: 1, maxLength: 254, examples: ['214563398120449'] }))),
    }),
    bodyOptional: true,
    response: Lead,
    refuses: ['user_unknown'],
    announces: ['lead_assigned'],
    summary: 'Assign a lead to a user, to nobody, or by rotation',
    description: 'Without assignedTo the rotation chooses; null takes the lead away from whoever has it.',
  },
  {
    read: ({ account, params, body }) =>
      sideBySide([
        leads.get(account, params.leadId),
        body.assignedTo ? memberNamed(account, body.assignedTo) : undefined,
        body.assignedTo === undefined ? readRotations(account) : [],
      ]),
    provisional: {},
    once: async ({ body, account }, [lead, named, rotations]) =>
      body.assignedTo === undefined ? nextAssignee(account, lead.teamId, rotations) : givenTo(named),
    decide: ({ caller, now }, [lead], { assignedTo = null }) => {
      const after = revise(lead, { assignedTo }, caller.actor.user, now);
      return { answer: after, writes: leads.replace(lead, after), events: leadAssigned(lead, after) };
    },
  },
);
