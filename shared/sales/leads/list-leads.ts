import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import {
  type Assigned,
  filtersByInactive,
  unassigned,
  withInactiveAssignees,
} from '../../people/users/inactive-assignees.ts';
import { firstCharacters } from '../../table/cut-text.ts';
import { type ListSource, shortListSource } from '../../table/list-source.ts';
import { countOf, viewOf } from '../../table/views.ts';
import type { Lead } from './schema.ts';
import { assignedLeads, leads } from './store.ts';

type ListedLead = Lead & Assigned;

/** Returns the number of index partitions for the filter `assignedTo`. The index cannot apply the value `inactive`. */
export const leadPartitions = ({ assignedTo }: { assignedTo?: readonly string[] }): number =>
  filtersByInactive(assignedTo) ? Number.POSITIVE_INFINITY : (assignedTo?.length ?? 0);

/**
 * Returns the leads as a list source, with the first 500 characters of the notes. `indexed` contains the users whose
 * leads the index returns. If `wanted` contains `inactive`, the source marks leads with inactive assignees.
 */
export function leadsOf(
  account: AccountId,
  indexed: readonly string[] | undefined,
  wanted: unknown,
): ListSource<Lead, ListedLead> {
  const source = indexed ? leadsAssignedTo(account, indexed) : leads.listOf(account);
  const marked = filtersByInactive([wanted].flat()) ? withInactiveAssignees(account, source) : source;
  return { ...marked, show: async (page) => page.map(shown) };
}

/** Returns the leads of these users. The value `none` returns the unassigned leads. */
export function leadsAssignedTo(account: AccountId, users: readonly string[]): ListSource<Lead> {
  // Values that are not user ids must not become part of a key.
  const holders = users.filter((user) => user === unassigned || asRecordId(user) !== undefined);
  if (holders.length === 0) return shortListSource(async () => []);
  const count = () => countOf(leads, account, holders.map(assignedLeads));
  const partitions = holders.map((holder) => [holder]);
  return viewOf<Lead>(leads, account, 'holder', partitions, count);
}

const shown = ({ inactiveAssignee, ...lead }: ListedLead): Lead => ({
  ...lead,
  ...(lead.notes && { notes: firstCharacters(lead.notes, 500) }),
});
