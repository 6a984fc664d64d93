import { happened } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadSource } from '../../shared/lead-sources/lead-source.ts';
import { leadSources } from '../../shared/lead-sources/lead-sources.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/lead-sources/{id}',
    permission: 'writeLeadSources',
    params: RecordParams,
    response: LeadSource,
    announces: ['lead_source_deleted'],
    summary: 'Delete a lead source; what refers to it counts as having none',
  },
  {
    read: ({ account, params }) => leadSources.get(account, params.id),
    decide: ({ now }, source) => ({
      answer: source,
      writes: leadSources.bury(source, now),
      events: happened('lead_source_deleted', 'lead_source', source),
    }),
  },
);
