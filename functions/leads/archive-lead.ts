import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Lead } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';

export default patchRecord(leads, {
  method: 'POST',
  path: '/leads/{leadId}/archive',
  permission: 'writeLeads',
  reach: 'lead',
  response: Lead,
  emits: 'lead_archived',
  set: { archived: true },
  summary: 'Archive a lead',
});
