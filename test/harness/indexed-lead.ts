import type { AccountId } from '../../shared/id/account-id.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { indexItem, readEntry } from '../../shared/table/index-items.ts';
import type { Item } from '../../shared/table/item.ts';
import { listKey, recordKey, searchEntriesKey } from '../../shared/table/keys.ts';

/** Returns the item of a lead with its items in the search index. */
export function indexedLead(account: AccountId, id: number, fields: object): Item[] {
  const noun = 'LEAD';
  const lead: Item = {
    ...recordKey(account, noun, id),
    ...listKey(account, noun, id),
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
