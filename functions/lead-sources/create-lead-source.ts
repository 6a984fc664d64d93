import { created } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { LeadSource, LeadSourceInput } from '../../shared/lead-sources/lead-source.ts';
import { leadSources } from '../../shared/lead-sources/lead-sources.ts';
import { mintId } from '../../shared/table/mint.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { teams } from '../../shared/teams/teams.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/lead-sources',
    permission: 'writeLeadSources',
    body: LeadSourceInput,
    response: LeadSource,
    success: 'created',
    refuses: ['team_unknown'],
    announces: ['lead_source_created'],
    summary: 'Create a lead source',
  },
  {
    read: async ({ account, body }) =>
      body.teamId === undefined ? undefined : teams.find(account, body.teamId),
    decide: ({ body, account, caller, now }, team) => {
      if (body.teamId !== undefined && !team?.active) throw new Refusal('team_unknown');
      const origin = { id: mintId(now), account, by: caller.actor.user, now };
      const source = { active: true, ...body, ...newRecord(origin) };
      return {
        answer: source,
        writes: leadSources.insert(source),
        events: created('lead_source_created', 'lead_source', source),
      };
    },
  },
);
