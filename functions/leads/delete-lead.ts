import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Lead } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';

export default deleteRecord(leads, {
  path: '/leads/{leadId}',
  permission: 'writeLeads',
  response: Lead,
  emits: 'lead_deleted',
  summary: 'Delete a lead and its audit log',
});
