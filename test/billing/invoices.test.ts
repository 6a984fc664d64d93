import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createInvoice from '../../functions/invoices/create-invoice.ts';
import creditInvoice from '../../functions/invoices/credit-invoice.ts';
import deleteInvoice from '../../functions/invoices/delete-invoice.ts';
import listInvoices from '../../functions/invoices/list-invoices.ts';
import openInvoice from '../../functions/invoices/open-invoice.ts';
import printInvoice from '../../functions/invoices/print-invoice.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import recordPayment from '../../functions/invoices/record-payment.ts';
import recordRefund from '../../functions/invoices/record-refund.ts';
import updateInvoice from '../../functions/invoices/update-invoice.ts';
import voidInvoice from '../../functions/invoices/void-invoice.ts';
import writeOffInvoice from '../../functions/invoices/write-off-invoice.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import searchRecords from '../../functions/search/search-records.ts';
import { drain } from '../harness/drain.ts';
import { eventsAbout, scanTable, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { customer, draft, draftBody, opened, pay } from './world.ts';

const acme = await tenant();
const { admin } = acme;

const kindsOf = async (id: number) => (await eventsAbout(acme.accountId, id)).map(({ kind }) => kind);

describe('a draft', () => {
  test('has computed amounts, no number and no debt, and emits invoice_created without its lines', async () => {
    const invoice = await draft(acme, { dueDate: '2026-04-01', memo: 'Thank you.' });
    expect(invoice).toMatchObject({
      status: 'draft',
      customerName: 'Harbor Street Coffee',
      lines: [{ net: 25_000, tax: 2_063, total: 27_063 }],
      ...{ net: 25_000, tax: 2_063, total: 27_063, amountDue: 0 },
      payments: [],
    });
    expect(invoice.number).toBeUndefined();
    const [event] = await eventsAbout(acme.accountId, invoice.id);
    expect(event).toMatchObject({ kind: 'invoice_created', data: { changes: { total: { to: 27_063 } } } });
    expect(event?.data).not.toHaveProperty('changes.lines');
  });

  test('can be changed and deleted, and leaves no audit entry behind', async () => {
    const { id: invoiceId } = await draft(acme);
    const params = { invoiceId };
    const other = await customer(acme, 'Ocean Bakery');
    const lines = [{ description: 'Fee', quantity: 3, unitAmount: 333 }];
    const changed = await admin.ok(updateInvoice, {
      params,
      body: { customerId: other, lines, dueDate: '2026-05-01' },
    });
    expect(changed).toMatchObject({ customerName: 'Ocean Bakery', total: 999, tax: 0, version: 2 });
    expect((await admin.ok(updateInvoice, { params, body: { lines } })).version).toBe(2);
    expect(await admin.ok(updateInvoice, { params, body: { dueDate: null } })).not.toHaveProperty('dueDate');
    await drain();
    expect((await admin.ok(readInvoice, { params })).auditLog.map(({ event }) => event)).toEqual([
      'no_event_name',
      'no_event_name',
      'invoice_created',
    ]);
    await admin.ok(deleteInvoice, { params });
    await drain();
    expect((await admin.call(readInvoice, { params })).status).toBe(404);
    const left = (await scanTable()).filter(({ pk }) =>
      String(pk).includes(`#INVOICE#${String(invoiceId).padStart(16, '0')}`),
    );
    expect(left.map(({ sk }) => sk)).toEqual(['RECORD']);
  });

  test.each([
    [{ customerId: '1' }, 'customer_unknown'],
    [{ currency: 'XYZ' }, 'invalid_input'],
    [{ lines: [] }, 'invalid_input'],
    [{ lines: [{ description: 'Fee', quantity: 2, unitAmount: 60_000_000_000 }] }, 'invalid_input'],
    [{ lines: [{ description: '4111 1111 1111 1111', quantity: 1, unitAmount: 1 }] }, 'invalid_input'],
    [{ memo: 'Card 4111111111111111' }, 'invalid_input'],
  ])('with %j is refused with %s', async (more, error) => {
    const body = draftBody(await customer(acme), more as object);
    const response = await admin.call(createInvoice, { body });
    expect([response.status, response.body.error]).toEqual([400, error]);
    expect(JSON.stringify(response.body)).not.toContain('4111');
  });

  test('can have tax rates with three decimals in percent, parts of a quantity, and discounts', async () => {
    const lines = [
      { description: 'New York', quantity: 1, unitAmount: 1_000_000, exactTaxRate: 887.5 },
      { description: 'Quebec', quantity: 1, unitAmount: 1_000_000, exactTaxRate: 997.5 },
      { description: 'Hours', exactQuantity: 1.2525, unitAmount: 10_000, taxRate: 800 },
      { description: 'Discount', quantity: 1, unitAmount: -50_000, exactTaxRate: 887.5 },
    ];
    const invoice = await draft(acme, { lines });
    expect(invoice.lines).toMatchObject([
      { quantity: 1, taxRate: 888, exactTaxRate: 887.5, net: 1_000_000, tax: 88_750, total: 1_088_750 },
      { taxRate: 998, exactTaxRate: 997.5, tax: 99_750 },
      { quantity: 2, exactQuantity: 1.2525, unitAmount: 10_000, taxRate: 800, net: 12_525, tax: 1_002 },
      { unitAmount: 50_000, discount: true, net: -50_000, tax: -4_438, total: -54_438 },
    ]);
    expect(invoice).toMatchObject({ net: 1_962_525, tax: 185_064, total: 2_147_589 });
    const params = { invoiceId: invoice.id };
    const again = await admin.ok(updateInvoice, { params, body: { lines: invoice.lines } });
    expect(again.version).toBe(invoice.version);
    const page = String((await admin.call(printInvoice, { params })).body);
    for (const text of ['8.875 %', '9.975 %', '1.2525', '-500.00', '21,475.89']) expect(page).toContain(text);
  });

  const one = { description: 'Fee', quantity: 1, unitAmount: 100 };
  test.each([
    ['exactTaxRate', [{ ...one, exactTaxRate: 887.55 }]],
    ['exactQuantity', [{ ...one, exactQuantity: 1.00001 }]],
    ['exactQuantity', [{ ...one, exactQuantity: 0 }]],
    ['quantity', [{ ...one, quantity: -1 }]],
    ['quantity', [{ description: 'Fee', unitAmount: 1 }]],
    ['quantity', [{ ...one, quantity: 3, exactQuantity: 1.5 }]],
    ['taxRate', [{ ...one, taxRate: 887, exactTaxRate: 887.5 }]],
    ['unitAmount', [{ ...one, unitAmount: -100, discount: true }]],
    ['negative total', [one, { ...one, unitAmount: -101 }]],
    ['quantity', [one, { ...one, quantity: 2, unitAmount: -60_000_000_000 }]],
    ['total of at most', Array(100).fill({ ...one, unitAmount: 100_000_000_000, taxRate: 1 })],
  ])('with a wrong %s is refused', async (named, lines) => {
    const body = draftBody(await customer(acme), { lines });
    const response = await admin.call(createInvoice, { body });
    expect([response.status, response.body.error]).toEqual([400, 'invalid_input']);
    expect(JSON.stringify(response.body.details)).toContain(named);
    const { id: invoiceId } = await draft(acme);
    const patched = await admin.call(updateInvoice, { params: { invoiceId }, body: { lines } });
    expect([patched.status, patched.body.error]).toEqual([400, 'invalid_input']);
  });

  test('of a customer of another account is refused as for an unknown customer', async () => {
    const theirs = await customer(await tenant());
    const responses = await Promise.all(
      [theirs, '1'].map((customerId) => admin.call(createInvoice, { body: draftBody(customerId) })),
    );
    expect(responses[0]?.body.error).toBe('customer_unknown');
    expect(responses[0]?.body.details).toEqual(responses[1]?.body.details);
  });
});

describe('an opened invoice', () => {
  test('has the next number, the present name of its customer and a due date, and cannot be changed', async () => {
    const customerId = await customer(acme);
    const { id: invoiceId } = await draft(acme, { customerId });
    await admin.ok(updateMerchant, {
      params: { merchantId: Number(customerId) },
      body: {
        legalName: 'Harbor LLC',
        addresses: [
          {
            type: 'business',
            street1: '12 Harbor Street',
            city: 'Oakland',
            state: 'CA',
            postalCode: '94601',
          },
        ],
      },
    });
    const params = { invoiceId };
    const invoice = await admin.ok(openInvoice, { params });
    expect(invoice).toMatchObject({
      status: 'open',
      customerName: 'Harbor LLC',
      customerAddress: ['12 Harbor Street', 'Oakland, CA 94601', 'US'],
      amountDue: 27_063,
    });
    expect(invoice.number).toMatch(/^INV-\d{6}$/);
    expect(invoice.dueDate).toMatch(/^\d{4}-\d\d-\d\d$/);
    const refused = await Promise.all([
      admin.call(updateInvoice, { params, body: { memo: 'New' } }),
      admin.call(deleteInvoice, { params }),
      admin.call(openInvoice, { params }),
    ]);
    expect(refused.map(({ body }) => body.error)).toEqual(Array(3).fill('invoice_not_draft'));
    await admin.ok(deleteMerchant, { params: { merchantId: Number(customerId) } });
    expect((await pay(acme, params, 27_063)).status).toBe(201);
  });

  test('over nothing is paid at once', async () => {
    const { invoice } = await opened(acme, { lines: [{ description: 'Free', quantity: 1, unitAmount: 0 }] });
    expect(invoice).toMatchObject({ status: 'paid', amountDue: 0 });
  });

  test('of a deleted customer stays a draft', async () => {
    const customerId = await customer(acme);
    const { id: invoiceId } = await draft(acme, { customerId });
    await admin.ok(deleteMerchant, { params: { merchantId: Number(customerId) } });
    const { body } = await admin.call(openInvoice, { params: { invoiceId } });
    expect(body.error).toBe('customer_unknown');
  });

  test('is paid by payments, which are idempotent by their reference', async () => {
    const { params } = await opened(acme);
    const body = { amount: 20_000, method: 'card', reference: 'pi_1', paidOn: '2026-03-02' } as const;
    const first = await admin.ok(recordPayment, { params, body });
    expect(first).toMatchObject({ result: 'received', amountDue: 7_063 });
    expect(await admin.ok(recordPayment, { params, body })).toEqual(first);
    const other = await admin.call(recordPayment, { params, body: { ...body, amount: 1 } });
    expect(other.body.error).toBe('reference_reused');
    expect((await pay(acme, params, 7_064)).body).toMatchObject({ error: 'payment_exceeds_due' });
    expect((await pay(acme, params, 7_063)).body).toMatchObject({ amountDue: 0 });
    expect(await admin.ok(readInvoice, { params })).toMatchObject({ status: 'paid', received: 27_063 });
    expect((await pay(acme, params, 1)).body).toMatchObject({ error: 'invoice_not_open' });
    expect(await kindsOf(params.invoiceId)).toEqual([
      'invoice_created',
      'payment_received',
      'payment_received',
    ]);
  });

  test('records failed payments without a change of the amount due', async () => {
    const { params } = await opened(acme);
    await pay(acme, params, 27_063, { result: 'failed', reason: 'card_declined' });
    expect(await admin.ok(readInvoice, { params })).toMatchObject({
      ...{ status: 'open', amountDue: 27_063, received: 0 },
      payments: [{ result: 'failed', reason: 'card_declined' }],
    });
    expect(await kindsOf(params.invoiceId)).toEqual(['invoice_created', 'payment_failed']);
  });

  test('a card number is refused in references and reasons, and is stored nowhere', async () => {
    const { params } = await opened(acme);
    const number = '4000056655665556';
    const refused = await Promise.all([
      pay(acme, params, 100, { reference: number }),
      pay(acme, params, 100, { reason: `from ${number}` }),
      admin.call(creditInvoice, { params, body: { amount: 1, reason: number } }),
      admin.call(recordRefund, { params, body: { amount: 1, reference: number } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(JSON.stringify(await scanTable())).not.toContain(number);
  });

  test('credits reduce the amount due, and the total does not change', async () => {
    const { params } = await opened(acme);
    const credit = (amount: number) =>
      admin.call(creditInvoice, { params, body: { amount, reason: 'Goodwill' } });
    expect((await credit(27_064)).body).toMatchObject({ error: 'credit_exceeds_due' });
    expect((await credit(7_063)).body).toMatchObject({ amountDue: 20_000 });
    await pay(acme, params, 20_000);
    expect(await admin.ok(readInvoice, { params })).toMatchObject({
      status: 'paid',
      total: 27_063,
      credited: 7_063,
    });
  });

  test('refunds are at most what was received, are idempotent, and reopen the invoice only on request', async () => {
    const { params } = await opened(acme);
    await pay(acme, params, 27_063);
    const refund = (body: { amount: number; reference: string; reopens?: boolean }) =>
      admin.call(recordRefund, { params, body });
    expect((await refund({ amount: 27_064, reference: 'r1' })).body).toMatchObject({
      error: 'refund_exceeds_received',
    });
    const first = await refund({ amount: 63, reference: 'r1' });
    expect(first.body).toMatchObject({ amountDue: 0, reopens: false });
    expect((await refund({ amount: 63, reference: 'r1' })).body).toEqual(first.body);
    expect((await refund({ amount: 64, reference: 'r1' })).body).toMatchObject({ error: 'reference_reused' });
    expect(await admin.ok(readInvoice, { params })).toMatchObject({
      status: 'paid',
      credited: 63,
      refunded: 63,
    });
    expect((await refund({ amount: 7_000, reference: 'r2', reopens: true })).body).toMatchObject({
      amountDue: 7_000,
    });
    expect(await admin.ok(readInvoice, { params })).toMatchObject({ status: 'open' });
    expect((await kindsOf(params.invoiceId)).slice(-2)).toEqual(['refund_issued', 'refund_issued']);
  });

  test('can be voided only without payments', async () => {
    const { params } = await opened(acme);
    await pay(acme, params, 100);
    expect((await admin.call(voidInvoice, { params })).body.error).toBe('invoice_has_payments');
    await admin.ok(recordRefund, { params, body: { amount: 100, reference: 'back' } });
    expect(await admin.ok(voidInvoice, { params })).toMatchObject({ status: 'void', amountDue: 0 });
    expect((await pay(acme, params, 100)).body).toMatchObject({ error: 'invoice_not_open' });
  });

  test('an uncollectible invoice still accepts a late payment', async () => {
    const { params } = await opened(acme);
    expect(await admin.ok(writeOffInvoice, { params })).toMatchObject({
      status: 'uncollectible',
      writtenOff: 27_063,
      amountDue: 0,
    });
    await pay(acme, params, 7_063);
    expect(await admin.ok(readInvoice, { params })).toMatchObject({
      status: 'uncollectible',
      writtenOff: 20_000,
    });
    await pay(acme, params, 20_000);
    expect(await admin.ok(readInvoice, { params })).toMatchObject({ status: 'paid', writtenOff: 0 });
  });
});

describe('lists and searches', async () => {
  const owner = await tenant();
  const own = owner.admin;
  const customerId = await customer(owner, 'Zebra Coffee');
  const old = await opened(owner, { customerId, dueDate: '2025-01-15' });
  const recent = await opened(owner, { dueDate: '2026-06-01', currency: 'JPY' });
  const waiting = await draft(owner, { customerId });
  await drain();
  const found = async (query: object) => (await own.ok(listInvoices, { query })).data.map(({ id }) => id);

  test('invoices are found by status, customer, number, currency and due date', async () => {
    expect(await found({ status: ['open'] })).toEqual([recent.invoice.id, old.invoice.id]);
    expect((await own.ok(listInvoices, { query: { status: ['open'] } })).totalCount).toBe(2);
    expect(await found({ customerId: [customerId] })).toEqual([waiting.id, old.invoice.id]);
    expect(await found({ number: ['inv-000002'] })).toEqual([recent.invoice.id]);
    expect(await found({ number: ['nothing'] })).toEqual([]);
    expect(await found({ currency: ['JPY'] })).toEqual([recent.invoice.id]);
    expect(await found({ dueBefore: '2026-01-01' })).toEqual([old.invoice.id]);
    expect(await found({ dueAfter: '2026-01-01' })).toEqual([recent.invoice.id]);
  });

  test.each([
    ['America/New_York', '-05:00', '2027-01-15T04:59:59.999Z', '2027-01-15T05:00:00.001Z'],
    ['Pacific/Auckland', '+13:00', '2027-01-14T10:59:59.999Z', '2027-01-14T11:00:00.001Z'],
  ])('dueBefore compares days of the account’s time zone: %s', async (timezone, offset, early, late) => {
    const owner = await tenant();
    await owner.admin.ok(updateAccount, { params: { id: owner.accountId }, body: { timezone } });
    const { invoice } = await opened(owner, { dueDate: '2027-01-15' });
    await drain();
    const found = async (dueBefore: string) => {
      const listed = await owner.admin.ok(listInvoices, { query: { dueBefore } });
      const sorted = await owner.admin.ok(listInvoices, { query: { dueBefore, sort: 'number' } });
      expect(sorted.data).toEqual(listed.data);
      return listed.data.some(({ id }) => id === invoice.id);
    };
    const dates = ['2027-01-14', '2027-01-15', '2027-01-16'];
    expect(await Promise.all(dates.map(found))).toEqual([false, false, true]);
    expect([await found(early), await found(late)]).toEqual([false, true]);
    expect(await found(`2027-01-15T00:00:00${offset}`)).toBe(false);
    expect(await found(`2027-01-15T00:00:01${offset}`)).toBe(true);
    const refused = await owner.admin.call(listInvoices, { query: { dueBefore: '2027-02-30' } });
    expect([refused.status, refused.body]).toMatchObject([400, { details: [{ field: 'dueBefore' }] }]);
  });

  test('invoices are found by the words of the customer’s name and by the number', async () => {
    expect(await found({ search: 'zeb' })).toEqual([waiting.id, old.invoice.id]);
    expect(await found({ search: 'inv-000001' })).toEqual([old.invoice.id]);
    const { invoices } = await own.ok(searchRecords, { query: { q: 'zebra' } });
    expect(invoices?.map(({ id }) => id)).toEqual([waiting.id, old.invoice.id]);
  });

  test('a payment is found by updatedAfter, and events of invoices carry no list of lines', async () => {
    const since = new Date(Date.now() - 1).toISOString();
    await pay(owner, old.params, 100);
    await drain();
    expect(await found({ updatedAfter: since })).toEqual([old.invoice.id]);
    for (const { data } of await storedEvents(owner.accountId))
      expect(JSON.stringify(data)).not.toContain('Card terminal');
  });
});
