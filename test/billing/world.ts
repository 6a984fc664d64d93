import createInvoice from '../../functions/invoices/create-invoice.ts';
import openInvoice from '../../functions/invoices/open-invoice.ts';
import recordPayment from '../../functions/invoices/record-payment.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import type { InvoiceInput } from '../../shared/billing/schema.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

/** Creates a merchant and returns its id as the id of a customer. */
export async function customer({ admin }: Tenant, merchantName = 'Harbor Street Coffee'): Promise<string> {
  return String((await admin.ok(createMerchant, { body: { merchantName } })).id);
}

/** The body of a draft over 270.63 USD: two lines, one of them with tax. */
export const draftBody = (customerId: string, more: Partial<InvoiceInput> = {}): InvoiceInput => ({
  customerType: 'merchant',
  customerId,
  currency: 'USD',
  lines: [{ description: 'Card terminal', quantity: 2, unitAmount: 12_500, taxRate: 825 }],
  ...more,
});

export const draft = async (owner: Tenant, more: Partial<InvoiceInput> = {}) =>
  owner.admin.ok(createInvoice, { body: draftBody(more.customerId ?? (await customer(owner)), more) });

/** Creates and opens an invoice. Returns the parameters of its path with the invoice. */
export async function opened(owner: Tenant, more: Partial<InvoiceInput> = {}) {
  const params = { invoiceId: (await draft(owner, more)).id };
  return { params, invoice: await owner.admin.ok(openInvoice, { params }) };
}

/** Returns the lines of an invoice over an amount. */
const fee = (unitAmount: number) => ({ lines: [{ description: 'Fee', quantity: 1, unitAmount }] });

/** An account with open invoices of one customer: INV-000001 and the following numbers. */
export async function billed(...amounts: readonly number[]) {
  const owner = await tenant();
  const customerId = await customer(owner);
  const params: { invoiceId: number }[] = [];
  for (const amount of amounts) params.push((await opened(owner, { customerId, ...fee(amount) })).params);
  return { owner, customerId, params };
}

let payments = 0;

/** Records a received payment with a reference of its own. */
export function pay(owner: Tenant, params: { invoiceId: number }, amount: number, more: object = {}) {
  payments += 1;
  const body = { amount, method: 'bank_transfer' as const, reference: `wire-${payments}`, ...more };
  return owner.admin.call(recordPayment, { params, body });
}
