import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { LeadSource } from '../../shared/sales/lead-sources/schema.ts';
import { leadSources } from '../../shared/sales/lead-sources/store.ts';

export default deleteRecord(leadSources, {
  path: '/lead-sources/{id}',
  permission: 'writeLeadSources',
  response: LeadSource,
  emits: 'lead_source_deleted',
  summary: 'Delete a lead source; its leads are then treated as having no source',
});
