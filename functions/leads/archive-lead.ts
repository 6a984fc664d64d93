import { patchRecord } from '../../shared/http/record-endpoints.ts';
import { Lead } from '../../shared/leads/schema.ts';
import { leads } from '../../shared/leads/store.ts';

export default patchRecord(leads, {
  method: 'POST',
  path: '/leads/{leadId}/archive',
  permission: 'writeLeads',
  response: Lead,
  emits: 'lead_archived',
  set: { archived: true },
  summary: 'Archive a lead',
});
