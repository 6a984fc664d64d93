import { patchRecord } from '../../shared/http/record-endpoints.ts';
import { Lead } from '../../shared/leads/schema.ts';
import { leads } from '../../shared/leads/store.ts';

export default patchRecord(leads, {
  method: 'DELETE',
  path: '/leads/{leadId}/archive',
  permission: 'writeLeads',
  response: Lead,
  emits: 'lead_unarchived',
  set: { archived: false },
  summary: 'Take a lead out of the archive',
});
