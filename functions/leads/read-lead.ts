import type { AuditEntry } from '../../shared/audit/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadParams, LeadWithAudit } from '../../shared/leads/schema.ts';
import { leads } from '../../shared/leads/store.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/leads/{leadId}',
    permission: 'readLeads',
    params: LeadParams,
    response: LeadWithAudit,
    summary: 'Read a lead with its audit log',
  },
  {
    read: ({ account, params }) => leads.getWithAudit<AuditEntry>(account, params.leadId),
    decide: (_, lead) => ({ response: lead }),
  },
);
