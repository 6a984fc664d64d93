import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { LeadSource } from '../../shared/sales/lead-sources/schema.ts';
import { leadSources } from '../../shared/sales/lead-sources/store.ts';

export default patchRecord(leadSources, {
  method: 'POST',
  path: '/lead-sources/{id}/activate',
  permission: 'writeLeadSources',
  response: LeadSource,
  emits: 'lead_source_activated',
  set: { active: true },
  summary: 'Activate a lead source',
});
