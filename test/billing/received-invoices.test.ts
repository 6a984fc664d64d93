import { describe, expect, test } from 'vitest';
import creditInvoice from '../../functions/invoices/credit-invoice.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import recordRefund from '../../functions/invoices/record-refund.ts';
import printReceivedInvoice from '../../functions/received-invoices/print-received-invoice.ts';
import readReceivedInvoice from '../../functions/received-invoices/read-received-invoice.ts';
import readReceivedStatement from '../../functions/received-invoices/read-received-statement.ts';
import { childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { customer, draft, opened, pay } from './world.ts';

const parent = await tenant();
const [child, sibling] = [await childAccount(parent), await childAccount(parent)];
const toChild = { customerType: 'account' as const, customerId: child.accountId };
const { params, invoice } = await opened(parent, { ...toChild, memo: 'Thank you.' });
const day = clock.now().toISOString().slice(0, 10);
const query = { from: day, to: day };
const read = (by: Client, of: { invoiceId: number }) => by.call(readReceivedInvoice, { params: of });

describe('a child account', () => {
  test('sees an invoice of its parent with its lines, payments, refunds and credits, and nothing else of the parent', async () => {
    await parent.admin.ok(creditInvoice, { params, body: { amount: 63, reason: 'A private note' } });
    await pay(parent, params, 20_000, { paidOn: '2026-03-01', reason: 'A private note' });
    const refund = { amount: 1_000, reference: 'refund-1', reason: 'A private note' };
    await parent.admin.ok(recordRefund, { params, body: refund });

    const { body } = await read(child.admin, params);
    expect(body).toMatchObject({
      id: invoice.id,
      number: invoice.number,
      status: 'open',
      customerName: invoice.customerName,
      total: 27_063,
      received: 20_000,
      refunded: 1_000,
      amountDue: 7_000,
      memo: 'Thank you.',
      lines: [{ description: 'Card terminal', quantity: 2, unitAmount: 12_500, total: 27_063 }],
      payments: [{ amount: 20_000, result: 'received', method: 'bank_transfer', paidOn: '2026-03-01' }],
      refunds: [{ amount: 1_000 }],
      credits: [{ amount: 63 }],
    });
    for (const hidden of ['A private note', parent.adminEmail, parent.accountId, 'refund-1', 'auditLog'])
      expect(JSON.stringify(body)).not.toContain(hidden);

    const statement = await child.admin.ok(readReceivedStatement, { query });
    expect(statement.balances).toEqual([{ currency: 'USD', opening: 0, closing: 7_000 }]);
    expect(statement.entries[0]).toMatchObject({ kind: 'invoice', invoiceNumber: invoice.number });
    expect(statement.entries.map(({ kind }) => kind)).toContain('payment');
    for (const entry of statement.entries) expect(entry).not.toHaveProperty('reference');
  });

  test('reads it as a page with the name of its parent', async () => {
    const page = await child.admin.call(printReceivedInvoice, { params });
    expect(page.status).toBe(200);
    const { body } = await read(child.admin, params);
    expect(String(page.body)).toContain(String(body.sellerName));
    expect(String(page.body)).toContain(String(invoice.number));
  });

  test('sees no drafts, no invoices to others, and no invoices of accounts that are not its parent', async () => {
    const { id: draftId } = await draft(parent, toChild);
    const ofMerchant = await opened(parent, { customerId: await customer(parent) });
    const own = await opened(child, { customerId: await customer(child) });
    for (const [by, invoiceId] of [
      [child, draftId],
      [child, ofMerchant.params.invoiceId],
      [child, own.params.invoiceId],
      [sibling, params.invoiceId],
      [parent, params.invoiceId],
      [await tenant(), params.invoiceId],
    ] as const) {
      expect((await read(by.admin, { invoiceId })).status).toBe(404);
      const page = await by.admin.call(printReceivedInvoice, { params: { invoiceId } });
      expect(page.status).toBe(404);
    }
    expect((await parent.admin.call(readInvoice, { params: own.params })).status).toBe(404);
    for (const { admin } of [sibling, parent])
      expect(await admin.ok(readReceivedStatement, { query })).toEqual({
        ...query,
        balances: [],
        entries: [],
      });
  });

  test('shows received invoices to its administrators only', async () => {
    const { client } = await member(child, ['readInvoices']);
    for (const by of [client, child.key])
      expect((await read(by, params)).body).toMatchObject({ error: 'administrator_only' });
  });
});
