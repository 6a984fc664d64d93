import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { LeadSource } from '../../shared/sales/lead-sources/schema.ts';
import { leadSources } from '../../shared/sales/lead-sources/store.ts';

export default readRecord(leadSources, {
  path: '/lead-sources/{id}',
  permission: 'readLeadSources',
  response: LeadSource,
  summary: 'Read a lead source',
});
