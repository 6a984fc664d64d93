import { createHash } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../table/keys.ts';

/** The item with the count of an account’s invoice numbers. It changes in the transactions that open invoices. */
export const invoiceNumbersKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'INVOICENUMBERS'),
  sk: 'LAST',
});

/** The item that maps a number such as `INV-000123` to its invoice. */
export const invoiceNumberKey = (account: AccountId, number: string): Key => ({
  pk: tenantPartition(account, 'INVOICENUMBER', number),
  sk: 'INVOICENUMBER',
});

export interface Customer {
  customerType: string;
  customerId: string;
}

/** The partition with the entries and the monthly sums of a customer. */
export const ledgerPartition = (account: AccountId, { customerType, customerId }: Customer): string =>
  tenantPartition(account, 'LEDGER', customerType, idText(customerId));

export const entryKey = (account: AccountId, customer: Customer, id: number): Key => ({
  pk: ledgerPartition(account, customer),
  sk: entryPosition(digits(id)),
});

export const entryPosition = (id: string): string => `ENTRY#${id}`;

/** The item with the sum of a month’s entries in one currency. `month` is `2026-03`. */
export const monthKey = (account: AccountId, customer: Customer, currency: string, month: string): Key => ({
  pk: ledgerPartition(account, customer),
  sk: `MONTH#${currency}#${month}`,
});

/** The sort keys of all sums of a customer. */
export const monthRange = { from: 'MONTH#', to: 'MONTH#~' } as const;

/** The transactions of a bank account on one day, as an import recorded them. `name` begins with the day. */
export const statementDayKey = (account: AccountId, name: string): Key => ({
  pk: tenantPartition(account, 'STATEMENTDAYS'),
  sk: name,
});

/** The payment provider of an account. */
export const providerKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'PAYMENTPROVIDER'),
  sk: 'PROVIDER',
});

/** The marker of an accepted notification. The id is hashed, because it may contain `#`. */
export const providerMessageKey = (account: AccountId, messageId: string): Key => ({
  pk: tenantPartition(account, 'PROVIDERMESSAGE', createHash('sha256').update(messageId).digest('base64url')),
  sk: 'MESSAGE',
});
