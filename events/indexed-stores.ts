import { invoices } from '../shared/billing/store.ts';
import { mails } from '../shared/correspondence/mails/store.ts';
import { memberships } from '../shared/people/users/store.ts';
import type { SearchedName } from '../shared/resources/registry.ts';
import { applications } from '../shared/sales/applications/store.ts';
import { leads } from '../shared/sales/leads/store.ts';
import { merchants } from '../shared/sales/merchants/store.ts';
import { tickets } from '../shared/support/tickets/store.ts';
import type { IndexedStore } from '../shared/table/update-index.ts';

/** The stores of the records in the search index, by subject type. */
export const indexedStores: Readonly<Record<SearchedName, IndexedStore>> = {
  lead: leads,
  application: applications,
  merchant: merchants,
  ticket: tickets,
  user: memberships,
  invoice: invoices,
  mail: mails,
};
