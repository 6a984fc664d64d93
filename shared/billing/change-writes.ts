import type { Write } from '../table/operations.ts';
import type { InvoiceChange } from './change-invoice.ts';
import { ledgerWrites } from './ledger.ts';
import type { Invoice } from './schema.ts';
import { invoices } from './store.ts';

/** Returns the writes of a changed invoice and of the customer’s ledger. */
export const changeWrites = (before: Invoice, { after, entries }: InvoiceChange, now: Date): Write[] => [
  ...invoices.replace(before, after),
  ...ledgerWrites(after, entries, now),
];
