import type { AccountId } from '../../shared/id/account-id.ts';
import { unassigned } from '../../shared/people/users/unassigned.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { indexItem, readEntry } from '../../shared/table/index-items.ts';
import type { Item } from '../../shared/table/item.ts';
import {
  listKey,
  recordKey,
  searchEntriesKey,
  secondaryIndexKey,
  totalsKey,
} from '../../shared/table/keys.ts';

interface LeadFields {
  assignedTo?: string;
  participants?: readonly string[];
}

/** Returns the item of a lead with its items in the search index. `countLeads` writes the counters of such leads. */
export function indexedLead(
  account: AccountId,
  id: number,
  fields: LeadFields & Record<string, unknown>,
): Item[] {
  const noun = 'LEAD';
  const lead: Item = {
    ...recordKey(account, noun, id),
    ...listKey(account, noun, id),
    ...secondaryIndexKey(account, noun, 'holder', [fields.assignedTo ?? unassigned], id),
    ...{ type: 'lead', id, accountId: account, version: 1, archived: false },
    ...fields,
  };
  const entries = [...leads.indexEntries(lead)];
  const indexed = { account, noun, id, order: id } as const;
  return [
    lead,
    { ...searchEntriesKey(account, noun, id), type: 'search-entries', id, order: id, entries },
    ...entries.map((name) => indexItem(indexed, readEntry(name))),
  ];
}

/** Returns the counters of leads: for each user, the own leads, and those of others in which the user takes part. */
export function countLeads(account: AccountId, leads: readonly LeadFields[]): Item[] {
  const counters = new Map<string, Record<string, number>>();
  const count = (user: string, of: string) => {
    const known = counters.get(user) ?? {};
    counters.set(user, { ...known, [of]: (known[of] ?? 0) + 1 });
  };
  for (const { assignedTo: holder = unassigned, participants = [] } of leads) {
    count(holder, 'LEAD assigned');
    for (const one of participants) if (one !== holder) count(one, 'LEAD shared');
  }
  return [...counters].map(([user, counts]) => ({ ...totalsKey(account, 0, ['LEAD', user]), ...counts }));
}
