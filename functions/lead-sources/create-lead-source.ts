import { ApiError } from '../../shared/errors.ts';
import { created } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { mintId } from '../../shared/id/mint.ts';
import { LeadSource, LeadSourceInput } from '../../shared/lead-sources/schema.ts';
import { leadSources } from '../../shared/lead-sources/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { teams } from '../../shared/teams/store.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/lead-sources',
    permission: 'writeLeadSources',
    body: LeadSourceInput,
    response: LeadSource,
    success: 'created',
    errors: ['team_unknown'],
    emits: ['lead_source_created'],
    summary: 'Create a lead source',
  },
  {
    read: async ({ account, body }) =>
      body.teamId === undefined ? undefined : teams.find(account, body.teamId),
    decide: ({ body, account, principal, now }, team) => {
      if (body.teamId !== undefined && !team?.active) throw new ApiError('team_unknown');
      const origin = { id: mintId(now), account, by: principal.actor.user, now };
      const source = { active: true, ...body, ...newRecord(origin) };
      return {
        response: source,
        writes: leadSources.insert(source),
        events: created(leadSources, 'lead_source_created', source),
      };
    },
  },
);
