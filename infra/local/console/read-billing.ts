import { accounts } from '../../../shared/accounts/store.ts';
import { minorDigitsOf } from '../../../shared/billing/currencies.ts';
import { printResponse } from '../../../shared/billing/print-invoice.ts';
import { showProvider } from '../../../shared/billing/provider/save-provider.ts';
import { providers, unmatchedPayments } from '../../../shared/billing/provider/store.ts';
import { invoices } from '../../../shared/billing/store.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';

/** The console lists at most this number of invoices and unmatched payments, the newest ones. */
const mostListed = 50;

/** Adds the number of decimals of the currency to an invoice or a payment. */
const withDigits = <R extends { currency?: string }>(record: R) => ({
  ...record,
  digits: minorDigitsOf(record.currency ?? ''),
});

/** Reads the newest invoices, the payment provider without its secrets, and the newest unmatched payments. */
export async function readBilling(account: AccountId, now: Date) {
  const [provider, total, newest, unmatched] = await Promise.all([
    providers.find(account),
    invoices.listOf(account).total(),
    invoices.newest(account, mostListed),
    unmatchedPayments.newest(account, mostListed),
  ]);
  return {
    ...(provider && { provider: showProvider(provider, now) }),
    total,
    invoices: newest.map(withDigits),
    unmatched: unmatched.map(withDigits),
  };
}

/** Reads an invoice with its lines, payments, refunds and credits. */
export async function readInvoice(account: AccountId, id: number) {
  const invoice = await invoices.find(account, id);
  return invoice && withDigits(invoice);
}

/** Returns an invoice as the HTML page for printing. */
export async function readPrintedInvoice(account: AccountId, id: number) {
  const [invoice, seller] = await Promise.all([invoices.find(account, id), accounts.get(account)]);
  return invoice && printResponse(invoice, seller).body;
}
