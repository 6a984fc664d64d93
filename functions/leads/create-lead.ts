import { endpoint } from '../../shared/http/endpoint.ts';
import { givenTo, nextAssignee, readRotations } from '../../shared/lead-rotations/assignment.ts';
import { leadSources } from '../../shared/lead-sources/lead-sources.ts';
import { leadCreated } from '../../shared/leads/announce.ts';
import { Lead, LeadInput } from '../../shared/leads/lead.ts';
import { leads } from '../../shared/leads/leads.ts';
import { checkPlacement, readChoices } from '../../shared/leads/placement.ts';
import { boolean, object, optional } from '../../shared/schema.ts';
import { mintId } from '../../shared/table/mint.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { teams } from '../../shared/teams/teams.ts';
import { memberNamed } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/leads',
    permission: 'writeLeads',
    query: object({ skipTeamAndSourceRequirement: optional(boolean({ default: false })) }),
    body: LeadInput,
    response: Lead,
    success: 'created',
    refuses: ['team_required', 'team_unknown', 'lead_source_required', 'lead_source_unknown', 'user_unknown'],
    announces: ['lead_created'],
    summary: 'Create a lead',
  },
  {
    read: async ({ account, body }) => {
      const choices = readChoices(account, body, { teams, sources: leadSources });
      const named = body.assignedTo === undefined ? undefined : memberNamed(account, body.assignedTo);
      const rotations = named ? [] : readRotations(account);
      return Promise.all([choices, named, rotations]);
    },
    provisional: {},
    once: async ({ body, account }, [, named, rotations]) =>
      named ? givenTo(named) : nextAssignee(account, body.teamId, rotations),
    decide: ({ query, body, account, caller, now }, [choices], turn) => {
      checkPlacement(body, choices, !query.skipTeamAndSourceRequirement);
      const origin = { id: mintId(now), account, by: caller.actor.user, now };
      const lead = { ...body, ...newRecord(origin), assignedTo: turn.assignedTo, archived: false };
      return { answer: lead, writes: leads.insert(lead), events: leadCreated(lead, turn.unassigned) };
    },
  },
);
