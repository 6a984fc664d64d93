import { describe, expect, test } from 'vitest';
import openInvoice from '../../functions/invoices/open-invoice.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import recordPayment from '../../functions/invoices/record-payment.ts';
import recordRefund from '../../functions/invoices/record-refund.ts';
import voidInvoice from '../../functions/invoices/void-invoice.ts';
import { concurrently } from '../harness/concurrently.ts';
import { killAt } from '../harness/kill.ts';
import { scanTable } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { customer, draft, opened, pay } from './world.ts';

/** The numbers of an account’s invoices, sorted. */
async function numbersOf({ accountId }: Tenant): Promise<unknown[]> {
  const items = await scanTable();
  return items
    .filter(({ pk, type }) => type === 'invoice' && String(pk).startsWith(`ACCOUNT#${accountId}#`))
    .flatMap(({ number }) => (number === undefined ? [] : [number]))
    .sort();
}
const upTo = (count: number) =>
  Array.from({ length: count }, (_, n) => `INV-${String(n + 1).padStart(6, '0')}`);

describe('invoice numbers', () => {
  test('32 concurrent openings take 32 numbers without gaps and duplicates', async () => {
    const owner = await tenant();
    const customerId = await customer(owner);
    const drafts = await concurrently(32, () => draft(owner, { customerId }));
    const open = (invoiceId: number) => owner.admin.call(openInvoice, { params: { invoiceId } });
    let waiting = drafts.map(({ id }) => id);
    // A busy opening has no effect, and callers repeat it.
    while (waiting.length > 0) {
      const responses = await Promise.all(waiting.map(open));
      waiting = waiting.filter((_, n) => responses[n]?.status !== 200);
      for (const { status } of responses) expect([200, 503]).toContain(status);
    }
    expect(await numbersOf(owner)).toEqual(upTo(32));
  });

  test('two concurrent openings of the same draft take one number', async () => {
    const owner = await tenant();
    const { id: invoiceId } = await draft(owner);
    const sent = await Promise.all(
      [1, 2].map(() => owner.admin.call(openInvoice, { params: { invoiceId } })),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await numbersOf(owner)).toEqual(upTo(1));
  });

  test.each(['before', 'after'] as const)(
    'an opening that is killed %s any of its calls leaves no gap',
    async (when) => {
      const owner = await tenant();
      const customerId = await customer(owner);
      let [killed, kills] = [true, 0];
      for (let n = 1; killed; n++) {
        const { id: invoiceId } = await draft(owner, { customerId });
        const params = { invoiceId };
        killed = await killAt(n, when, () => owner.admin.call(openInvoice, { params }));
        if (killed) kills += 1;
        const { status } = await owner.admin.ok(readInvoice, { params });
        if (status === 'draft') await owner.admin.ok(openInvoice, { params });
        expect(n).toBeLessThan(30);
      }
      expect(kills).toBeGreaterThan(0);
      expect(await numbersOf(owner)).toEqual(upTo(kills + 1));
    },
  );
});

describe('concurrent changes of an invoice', () => {
  test('of two payments over the whole amount, one is received', async () => {
    const owner = await tenant();
    for (let round = 0; round < 5; round++) {
      const { params } = await opened(owner);
      const sent = await Promise.all([pay(owner, params, 27_063), pay(owner, params, 27_063)]);
      expect(sent.map(({ status }) => status).sort()).toEqual([201, 400]);
      expect(await owner.admin.ok(readInvoice, { params })).toMatchObject({
        status: 'paid',
        received: 27_063,
      });
    }
  });

  test('a payment that is sent eight times at once is received once', async () => {
    const owner = await tenant();
    const { params } = await opened(owner);
    const body = { amount: 1_000, method: 'card', reference: 'pi_1' } as const;
    const sent = await concurrently(8, () => owner.admin.ok(recordPayment, { params, body }));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(await owner.admin.ok(readInvoice, { params })).toMatchObject({
      received: 1_000,
      amountDue: 26_063,
    });
  });

  test('of a payment and a voiding, one takes effect', async () => {
    const owner = await tenant();
    for (let round = 0; round < 5; round++) {
      const { params } = await opened(owner);
      const [payment, voiding] = await Promise.all([
        pay(owner, params, 100),
        owner.admin.call(voidInvoice, { params }),
      ]);
      const invoice = await owner.admin.ok(readInvoice, { params });
      expect([payment.status, voiding.status].sort()).not.toEqual([200, 201]);
      if (voiding.status === 200)
        expect(invoice).toMatchObject({ status: 'void', received: 0, payments: [] });
      else expect(invoice).toMatchObject({ status: 'open', received: 100 });
    }
  });

  test('of two refunds of everything that was received, one is issued', async () => {
    const owner = await tenant();
    const { params } = await opened(owner);
    await pay(owner, params, 27_063);
    const refund = (reference: string) =>
      owner.admin.call(recordRefund, { params, body: { amount: 27_063, reference } });
    const sent = await Promise.all([refund('a'), refund('b')]);
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await owner.admin.ok(readInvoice, { params })).toMatchObject({ refunded: 27_063 });
  });
});
