import type { AccountId } from '../../id/account-id.ts';
import { newRecord } from '../../table/record-fields.ts';
import { type Authored, type Revision, revise } from '../../table/revise.ts';
import type { Lead, LeadInput } from './schema.ts';

/** Returns a new lead. An empty email or phone is omitted. */
export const newLead = (
  request: Authored & { account: AccountId },
  { email, phone, ...input }: LeadInput,
  assignedTo: string | undefined,
): Lead => ({
  ...input,
  email: email || undefined,
  phone: phone || undefined,
  ...newRecord(request),
  assignedTo,
  archived: false,
});

/** Returns the lead with the sent fields. Null clears a field. An empty email or phone also clears the field. */
export const changedLead = (lead: Lead, change: Revision<Lead>, request: Authored): Lead =>
  revise(
    lead,
    {
      ...change,
      email: change.email === '' ? null : change.email,
      phone: change.phone === '' ? null : change.phone,
    },
    request,
  );
