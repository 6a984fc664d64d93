import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { AuditEntry } from '../../integrity/audit/schema.ts';
import { firstCharacters } from '../../table/cut-text.ts';
import type { ListSource } from '../../table/list-source.ts';
import { recordStore } from '../../table/record-store.ts';
import type { Lead, LeadWithAudit } from './schema.ts';

const records = recordStore<Lead, 'lead'>({ noun: 'LEAD', subject: 'lead' });

export const leads = {
  ...records,

  /** Returns the leads as a list source, with the first 500 characters of the notes. */
  listOf: (account: AccountId): ListSource<Lead> => ({
    ...records.listOf(account),
    show: async (page) =>
      page.map((lead) => ({ ...lead, ...(lead.notes && { notes: firstCharacters(lead.notes, 500) }) })),
  }),

  describe: ({ firstName, lastName, assignedTo }: Lead): Described => ({
    label: `${firstName} ${lastName}`,
    assignedTo,
  }),
};

/** Leads with their audit logs. */
export const leadsWithAudit = {
  subject: leads.subject,
  get: (account: AccountId, id: number) => leads.getWithAudit<AuditEntry>(account, id),
  show: (lead: LeadWithAudit): LeadWithAudit => lead,
};
