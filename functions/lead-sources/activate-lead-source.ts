import { switched } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadSource } from '../../shared/lead-sources/lead-source.ts';
import { leadSources } from '../../shared/lead-sources/lead-sources.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/lead-sources/{id}/activate',
    permission: 'writeLeadSources',
    params: RecordParams,
    response: LeadSource,
    announces: ['lead_source_activated'],
    summary: 'Activate a lead source',
  },
  {
    read: ({ account, params }) => leadSources.get(account, params.id),
    decide: ({ caller, now }, source) => {
      const after = revise(source, { active: true }, caller.actor.user, now);
      const events = switched('lead_source_activated', 'lead_source', source, after);
      return { answer: after, writes: leadSources.replace(source, after), events };
    },
  },
);
