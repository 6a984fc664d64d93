import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { AuditEntry } from '../../integrity/audit/schema.ts';
import { recordStore } from '../../table/record-store.ts';
import type { Lead, LeadWithAudit } from './schema.ts';

const records = recordStore<Lead, 'lead'>({ noun: 'LEAD', subject: 'lead' });

/** The leads of an account. */
export const leads = {
  ...records,

  describe: ({ firstName, lastName, assignedTo }: Lead): Described => ({
    label: `${firstName} ${lastName}`,
    assignedTo,
  }),
};

/** Leads with their audit logs. */
export const leadsWithAudit = {
  get: (account: AccountId, id: number) => leads.getWithAudit<AuditEntry>(account, id),
  show: (lead: LeadWithAudit): LeadWithAudit => lead,
};
