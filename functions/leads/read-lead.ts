import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { LeadWithAudit } from '../../shared/sales/leads/schema.ts';
import { leadsWithAudit } from '../../shared/sales/leads/store.ts';

export default readRecord(leadsWithAudit, {
  path: '/leads/{leadId}',
  permission: 'readLeads',
  reach: 'lead',
  response: LeadWithAudit,
  summary: 'Read a lead with its audit log',
});
