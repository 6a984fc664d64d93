import { deleteRecord } from '../../shared/http/record-endpoints.ts';
import { Lead } from '../../shared/leads/schema.ts';
import { leads } from '../../shared/leads/store.ts';

export default deleteRecord(leads, {
  path: '/leads/{leadId}',
  permission: 'writeLeads',
  response: Lead,
  emits: 'lead_deleted',
  summary: 'Delete a lead and its audit log',
});
