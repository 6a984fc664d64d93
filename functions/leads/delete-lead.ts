import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { forgettableLeads } from '../../shared/sales/external-api/forget-lead.ts';
import { Lead } from '../../shared/sales/leads/schema.ts';

export default deleteRecord(forgettableLeads, {
  path: '/leads/{leadId}',
  permission: 'writeLeads',
  reach: 'lead',
  response: Lead,
  emits: 'lead_deleted',
  summary: 'Delete a lead and its audit log',
});
