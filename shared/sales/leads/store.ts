import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { AuditEntry } from '../../integrity/audit/schema.ts';
import { countedForParticipants } from '../../people/ownership/count-shared.ts';
import { unassigned } from '../../people/users/unassigned.ts';
import { recordStore } from '../../table/record-store.ts';
import { secondaryIndexes } from '../../table/secondary-indexes.ts';
import { indexedLeadFields } from './indexed-fields.ts';
import type { Lead, LeadWithAudit } from './schema.ts';

const holderOf = ({ assignedTo = unassigned }: Lead): string => assignedTo;

const records = recordStore<Lead, 'lead'>({
  resource: 'lead',
  indexedFields: indexedLeadFields,
  indexes: secondaryIndexes<Lead>({
    holder: (lead) => [holderOf(lead)],
    countedAs: (lead) => [assignedLeads(holderOf(lead)), ...countedForParticipants(lead, holderOf(lead))],
  }),
});

/** The name of the counter of the leads that are assigned to a user, or of the unassigned leads. */
export const assignedLeads = (holder: string) => ({ of: 'assigned', within: [holder] });

export const leads = {
  ...records,

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
