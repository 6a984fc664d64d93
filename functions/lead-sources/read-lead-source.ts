import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadSource } from '../../shared/lead-sources/lead-source.ts';
import { leadSources } from '../../shared/lead-sources/lead-sources.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/lead-sources/{id}',
    permission: 'readLeadSources',
    params: RecordParams,
    response: LeadSource,
    summary: 'Read a lead source',
  },
  {
    read: ({ account, params }) => leadSources.get(account, params.id),
    decide: (_, source) => ({ answer: source }),
  },
);
