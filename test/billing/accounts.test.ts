import { expect, test } from 'vitest';
import readStatement from '../../functions/billing/read-statement.ts';
import createInvoice from '../../functions/invoices/create-invoice.ts';
import openInvoice from '../../functions/invoices/open-invoice.ts';
import updateInvoice from '../../functions/invoices/update-invoice.ts';
import { accountKey } from '../../shared/accounts/keys.ts';
import { setAttribute } from '../../shared/table/counters.ts';
import { tenant } from '../harness/tenant.ts';
import { draft, draftBody } from './world.ts';

test('an account bills only its own child accounts, and other accounts look like unknown ones', async () => {
  const [parent, child, stranger] = [await tenant(), await tenant(), await tenant()];
  await setAttribute(accountKey(child.accountId), 'parentAccountId', parent.accountId);
  const bill = (by: typeof parent, customerId: string) =>
    by.admin.call(createInvoice, { body: draftBody(customerId, { customerType: 'account' }) });
  const refused = await Promise.all([
    bill(parent, stranger.accountId),
    bill(parent, parent.accountId),
    bill(parent, 'acc_nowhere'),
    bill(stranger, child.accountId),
    bill(child, parent.accountId),
  ]);
  expect(
    new Set(refused.map(({ status, body }) => `${status} ${body.error} ${JSON.stringify(body.details)}`))
      .size,
  ).toBe(1);
  expect(refused[0]?.body.error).toBe('customer_unknown');

  const made = await bill(parent, child.accountId);
  expect(made.body).toMatchObject({ customerType: 'account', customerId: child.accountId, total: 27_063 });
  const params = { invoiceId: made.body.id };
  await parent.admin.ok(openInvoice, { params });
  const day = new Date().toISOString().slice(0, 10);
  const query = { customerType: 'account' as const, customerId: child.accountId, from: day, to: day };
  const { balances } = await parent.admin.ok(readStatement, { query });
  expect(balances).toEqual([{ currency: 'USD', opening: 0, closing: 27_063 }]);

  const { id: invoiceId } = await draft(parent);
  const change = (body: object) => parent.admin.call(updateInvoice, { params: { invoiceId }, body });
  expect((await change({ customerType: 'account' })).body.error).toBe('customer_unknown');
  const to = { customerType: 'account', customerId: child.accountId };
  expect((await change(to)).body).toMatchObject(to);
});
