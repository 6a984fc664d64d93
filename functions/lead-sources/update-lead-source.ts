import { updated } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { LeadSource, LeadSourcePatch } from '../../shared/lead-sources/lead-source.ts';
import { leadSources } from '../../shared/lead-sources/lead-sources.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';
import { teams } from '../../shared/teams/teams.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/lead-sources/{id}',
    permission: 'writeLeadSources',
    params: RecordParams,
    body: LeadSourcePatch,
    response: LeadSource,
    refuses: ['team_unknown'],
    announces: ['lead_source_updated'],
    summary: 'Change the given fields of a lead source',
  },
  {
    read: ({ account, params, body }) =>
      Promise.all([
        leadSources.get(account, params.id),
        typeof body.teamId === 'number' ? teams.find(account, body.teamId) : undefined,
      ]),
    decide: ({ body, caller, now }, [source, team]) => {
      if (typeof body.teamId === 'number' && !team?.active) throw new Refusal('team_unknown');
      const after = revise(source, body, caller.actor.user, now);
      const events = updated('lead_source_updated', 'lead_source', source, after);
      return { answer: after, writes: leadSources.replace(source, after), events };
    },
  },
);
