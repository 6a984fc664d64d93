import { readRecord } from '../../shared/http/record-endpoints.ts';
import { LeadWithAudit } from '../../shared/leads/schema.ts';
import { leadsWithAudit } from '../../shared/leads/store.ts';

export default readRecord(leadsWithAudit, {
  path: '/leads/{leadId}',
  permission: 'readLeads',
  response: LeadWithAudit,
  summary: 'Read a lead with its audit log',
});
