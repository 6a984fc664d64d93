import { filterByTime } from '../../endpoints/list-filters.ts';
import type { AccountId } from '../../id/account-id.ts';
import { readHeldTotals } from '../../people/ownership/count-shared.ts';
import { teams } from '../../people/teams/store.ts';
import {
  type Assigned,
  assignees,
  filtersByInactive,
  listAssignedTo,
} from '../../people/users/assignee-filter.ts';
import { firstCharacters } from '../../table/cut-text.ts';
import type { ListSource } from '../../table/list-source.ts';
import { countOf, listOfIndex } from '../../table/secondary-indexes.ts';
import { leadSources } from '../lead-sources/store.ts';
import { indexedLeadFields } from './indexed-fields.ts';
import type { Lead } from './schema.ts';
import { assignedLeads, leads } from './store.ts';

/** The records to which filters refer. */
export const leadReferences = {
  assignedTo: assignees,
  teamId: teams,
  leadSourceId: leadSources,
};

export const lastContactedBefore = filterByTime(
  indexedLeadFields,
  'lastContacted',
  'Only leads without contact since this time. If a lead was never contacted, its creation counts as a contact.',
);

type ListedLead = Lead & Assigned;

/** Returns the number of index partitions for the filter `assignedTo`. The index cannot apply the value `inactive`. */
export const leadPartitions = ({ assignedTo }: { assignedTo?: readonly string[] }): number =>
  filtersByInactive(assignedTo) ? Number.POSITIVE_INFINITY : (assignedTo?.length ?? 0);

/**
 * Returns the leads as a list source, with the first 500 characters of the notes. `wanted` is the value of the filter
 * `assignedTo`. If `isIndexed`, the index applies this filter.
 */
export const leadsOf = (
  account: AccountId,
  isIndexed: boolean,
  wanted: unknown,
): ListSource<Lead, ListedLead> =>
  listAssignedTo<Lead, ListedLead>(account, wanted, (holders) => ({
    ...(isIndexed ? leadsAssignedTo(account, holders) : leads.listOf(account)),
    ...(wanted === undefined && {
      heldBy: {
        field: 'assignedTo',
        list: (owners) => leadsAssignedTo(account, owners),
        totals: (owners, participants) =>
          readHeldTotals(leads, account, owners.map(assignedLeads), participants),
      },
    }),
    show: async (page) => page.map(shown),
  }));

/** Returns the leads of these users. The value `none` returns the unassigned leads. */
export function leadsAssignedTo(account: AccountId, holders: readonly string[]): ListSource<Lead> {
  const count = () => countOf(leads, account, holders.map(assignedLeads));
  const partitions = holders.map((holder) => [holder]);
  return listOfIndex<Lead>(leads, account, 'holder', partitions, count);
}

const shown = (lead: Lead): Lead => ({
  ...lead,
  ...(lead.notes && { notes: firstCharacters(lead.notes, 500) }),
});
