import { ApiError } from '../../shared/errors.ts';
import { updated } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadSource, LeadSourcePatch } from '../../shared/lead-sources/schema.ts';
import { leadSources } from '../../shared/lead-sources/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';
import { teams } from '../../shared/teams/store.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/lead-sources/{id}',
    permission: 'writeLeadSources',
    params: RecordParams,
    body: LeadSourcePatch,
    response: LeadSource,
    errors: ['team_unknown'],
    emits: ['lead_source_updated'],
    summary: 'Change the given fields of a lead source',
  },
  {
    read: ({ account, params, body }) =>
      Promise.all([
        leadSources.get(account, params.id),
        typeof body.teamId === 'number' ? teams.find(account, body.teamId) : undefined,
      ]),
    decide: ({ body, principal, now }, [source, team]) => {
      if (typeof body.teamId === 'number' && !team?.active) throw new ApiError('team_unknown');
      const after = revise(source, body, principal.actor.user, now);
      const events = updated(leadSources, 'lead_source_updated', source, after);
      return { response: after, writes: leadSources.replace(source, after), events };
    },
  },
);
