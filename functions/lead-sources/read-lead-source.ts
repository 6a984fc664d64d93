import { readRecord } from '../../shared/http/record-endpoints.ts';
import { LeadSource } from '../../shared/lead-sources/schema.ts';
import { leadSources } from '../../shared/lead-sources/store.ts';

export default readRecord(leadSources, {
  path: '/lead-sources/{id}',
  permission: 'readLeadSources',
  response: LeadSource,
  summary: 'Read a lead source',
});
