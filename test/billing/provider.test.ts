import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import deleteAccount from '../../functions/accounts/delete-account.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import reopenAccount from '../../functions/accounts/reopen-account.ts';
import assignUnmatchedPayment from '../../functions/billing/assign-unmatched-payment.ts';
import deletePaymentProvider from '../../functions/billing/delete-payment-provider.ts';
import deleteUnmatchedPayment from '../../functions/billing/delete-unmatched-payment.ts';
import listUnmatchedPayments from '../../functions/billing/list-unmatched-payments.ts';
import readPaymentProvider from '../../functions/billing/read-payment-provider.ts';
import receivePaymentNotice from '../../functions/billing/receive-payment-notice.ts';
import rotateProviderSecret from '../../functions/billing/rotate-provider-secret.ts';
import savePaymentProvider from '../../functions/billing/save-payment-provider.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import type { NoticeData } from '../../shared/billing/provider/schema.ts';
import { signedHeaders } from '../../shared/messaging/webhooks/signature.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { eventsAbout, scanTable } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { opened } from './world.ts';

afterEach(clock.reset);

const northwind = { name: 'Northwind Payments', active: true };

async function withProvider() {
  const owner = await tenant();
  const { secret = '' } = await owner.admin.ok(savePaymentProvider, { body: northwind });
  return { owner, secret };
}

interface Sent {
  type?: string;
  id?: string;
  secret: string;
  at?: Date;
}

/** Sends a notification with a signature of its own. */
function notify(
  { accountId }: Tenant,
  data: NoticeData,
  { type = 'payment.received', id, secret, at }: Sent,
) {
  const body = { type, timestamp: '2026-03-01T09:30:00.000Z', data };
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = signedHeaders(bytes, [secret], id ?? `evt_${randomUUID()}`, at ?? clock.now());
  return call(receivePaymentNotice, { params: { accountId }, body, headers });
}

const unmatchedOf = async ({ admin }: Tenant) => (await admin.ok(listUnmatchedPayments)).data;
const paid = { amount: 27_063, currency: 'USD', reference: 'pi_1', method: 'card' } as const;

describe('a payment provider', () => {
  test('gets a secret once, which is stored encrypted', async () => {
    const { owner, secret } = await withProvider();
    expect(secret).toMatch(/^whsec_/);
    const shown = await owner.admin.ok(readPaymentProvider);
    expect(shown).toMatchObject(northwind);
    expect(JSON.stringify(shown)).not.toContain('whsec_');
    const again = await owner.admin.ok(savePaymentProvider, { body: { ...northwind, name: 'Other' } });
    expect(again).not.toHaveProperty('secret');
    expect(JSON.stringify(await scanTable())).not.toContain(secret.slice(6));
  });

  test('is recognized by both secrets for 24 hours after a rotation', async () => {
    const { owner, secret } = await withProvider();
    const { secret: next } = await owner.admin.ok(rotateProviderSecret, { body: {} });
    const send = (one: string) => notify(owner, {}, { type: 'other', secret: one });
    expect([(await send(secret)).status, (await send(next)).status]).toEqual([202, 202]);
    clock.advance(24 * 3_600_000 + 1_000);
    expect([(await send(secret)).status, (await send(next)).status]).toEqual([401, 202]);
  });

  test('is rejected with another secret, an old time, another body, while it is inactive, and after its deletion', async () => {
    const { owner, secret } = await withProvider();
    const stranger = await withProvider();
    const send = (by: Partial<Sent> = {}) => notify(owner, paid, { secret, ...by });
    expect((await send({ secret: stranger.secret })).status).toBe(401);
    expect((await send({ at: new Date(clock.now().getTime() - 6 * 60_000) })).status).toBe(401);
    await owner.admin.ok(savePaymentProvider, { body: { ...northwind, active: false } });
    const inactive = await send();
    await owner.admin.ok(deletePaymentProvider);
    const deleted = await send();
    const nobody = await notify({ ...owner, accountId: 'acc_nowhere' as never }, paid, { secret });
    expect([inactive.status, deleted.status, nobody.status]).toEqual([401, 401, 401]);
    expect(new Set([inactive, deleted, nobody].map(({ body }) => body.message)).size).toBe(1);
    expect(await unmatchedOf(owner)).toEqual([]);
  });
});

describe('a notification', () => {
  test('pays the invoice with its number, and a repeated one changes nothing', async () => {
    const { owner, secret } = await withProvider();
    const { params, invoice } = await opened(owner);
    const data = { ...paid, invoiceNumber: invoice.number ?? '' };
    const first = await notify(owner, data, { secret, id: 'evt_1' });
    expect([first.status, first.body]).toEqual([202, { result: 'applied' }]);
    expect((await notify(owner, data, { secret, id: 'evt_1' })).body).toEqual({ result: 'duplicate' });
    expect((await notify(owner, data, { secret, id: 'evt_2' })).body).toEqual({ result: 'duplicate' });
    expect(await owner.admin.ok(readInvoice, { params })).toMatchObject({
      status: 'paid',
      payments: [{ ...{ reference: 'pi_1', method: 'card', createdBy: 'payment_provider' } }],
    });
    const events = await eventsAbout(owner.accountId, params.invoiceId);
    expect(events.map(({ kind }) => kind)).toEqual(['invoice_created', 'payment_received']);
    expect(events[1]?.actor).toEqual({ user: 'payment_provider', apiKey: null });
  });

  test('that arrives eight times at once is applied once', async () => {
    const { owner, secret } = await withProvider();
    const { params, invoice } = await opened(owner);
    const data = { ...paid, amount: 100, invoiceNumber: invoice.number ?? '' };
    const sent = await concurrently(8, () => notify(owner, data, { secret, id: 'evt_1' }));
    const results = sent.map(({ body }) => body.result).sort();
    expect(results).toEqual(['applied', ...Array(7).fill('duplicate')]);
    expect(await owner.admin.ok(readInvoice, { params })).toMatchObject({ received: 100 });
  });

  test('records failed payments, refunds, and returned payments, which are to be paid again', async () => {
    const { owner, secret } = await withProvider();
    const { params, invoice } = await opened(owner);
    const send = (type: string, reference: string, amount: number) =>
      notify(owner, { ...paid, invoiceNumber: invoice.number ?? '', reference, amount }, { type, secret });
    await send('payment.failed', 'pi_1', 27_063);
    await send('payment.received', 'pi_2', 27_063);
    await send('payment.refunded', 're_1', 63);
    await send('payment.returned', 're_2', 7_000);
    expect(await owner.admin.ok(readInvoice, { params })).toMatchObject({
      ...{ status: 'open', amountDue: 7_000, credited: 63, refunded: 7_063 },
    });
  });

  test('of a success and of failures with the same reference is recorded in any order', async () => {
    const { owner, secret } = await withProvider();
    for (const order of [
      ['failed', 'received'],
      ['received', 'failed'],
      ['failed', 'received', 'failed', 'received'],
    ]) {
      const { params, invoice } = await opened(owner);
      const results: unknown[] = [];
      for (const result of order) {
        const data = { ...paid, invoiceNumber: invoice.number ?? '' };
        results.push((await notify(owner, data, { type: `payment.${result}`, secret })).body.result);
      }
      expect(results).toEqual(['applied', 'applied', 'duplicate', 'duplicate'].slice(0, order.length));
      const { status, received, payments } = await owner.admin.ok(readInvoice, { params });
      expect([status, received]).toEqual(['paid', 27_063]);
      expect(payments.map(({ result }) => result).sort()).toEqual(['failed', 'received']);
    }
    expect(await unmatchedOf(owner)).toEqual([]);
  });

  test('of a part of the amount that failed is a payment, and another amount of a received one is unmatched', async () => {
    const { owner, secret } = await withProvider();
    const { params, invoice } = await opened(owner);
    const send = (type: string, amount: number) =>
      notify(owner, { ...paid, amount, invoiceNumber: invoice.number ?? '' }, { type, secret });
    await send('payment.failed', 27_063);
    await send('payment.failed', 20_000);
    expect((await send('payment.received', 20_000)).body).toEqual({ result: 'applied' });
    expect((await send('payment.received', 7_063)).body).toEqual({
      ...{ result: 'unmatched', reason: 'reference_reused' },
    });
    const { payments } = await owner.admin.ok(readInvoice, { params });
    expect(payments.map(({ result, amount }) => [result, amount])).toEqual([
      ['failed', 27_063],
      ['failed', 20_000],
      ['received', 20_000],
    ]);
  });

  test('with a currency in lower case is applied, and an unmatched one can be assigned', async () => {
    const { owner, secret } = await withProvider();
    const first = await opened(owner);
    const data = { ...paid, currency: 'usd', invoiceNumber: first.invoice.number ?? '' };
    expect((await notify(owner, data, { secret })).body).toEqual({ result: 'applied' });
    const second = await opened(owner);
    await notify(owner, { ...data, reference: 'pi_2', invoiceNumber: 'INV-999999' }, { secret });
    const [unmatched] = await unmatchedOf(owner);
    expect(unmatched).toMatchObject({ currency: 'USD' });
    const assigned = await owner.admin.ok(assignUnmatchedPayment, {
      params: { unmatchedId: unmatched?.id ?? 0 },
      body: second.params,
    });
    expect(assigned.status).toBe('paid');
  });

  test.each([
    ['no number', { invoiceNumber: undefined }, 'incomplete'],
    ['no amount', { amount: undefined }, 'incomplete'],
    ['an unknown number', { invoiceNumber: 'INV-999999' }, 'unknown_invoice'],
    ['another currency', { currency: 'EUR' }, 'other_currency'],
    ['too much money', { amount: 27_064 }, 'payment_exceeds_due'],
  ])('with %s is stored as an unmatched payment', async (_, change, reason) => {
    const { owner, secret } = await withProvider();
    const { invoice } = await opened(owner);
    const data = JSON.parse(JSON.stringify({ ...paid, invoiceNumber: invoice.number, ...change }));
    const { status, body } = await notify(owner, data, { secret });
    expect([status, body]).toEqual([202, { result: 'unmatched', reason }]);
    const { invoiceNumber, amount, currency } = data;
    const stored = JSON.parse(JSON.stringify({ reason, reference: 'pi_1', invoiceNumber, amount, currency }));
    expect(await unmatchedOf(owner)).toMatchObject([stored]);
  });

  test('of an unknown type is accepted and ignored', async () => {
    const { owner, secret } = await withProvider();
    const ignored = await notify(owner, {}, { type: 'payout.paid', secret });
    expect([ignored.status, ignored.body]).toEqual([202, { result: 'ignored' }]);
  });

  test('with references that look like card numbers is stored masked, and each still identifies its payment', async () => {
    const { owner, secret } = await withProvider();
    const { params, invoice } = await opened(owner);
    const numbers = ['4242424242424242', '5555341244444242'];
    const send = (reference: string, more: object = {}) => {
      const data = { ...paid, amount: 100, invoiceNumber: invoice.number ?? '', reference, ...more };
      return notify(owner, data, { secret });
    };
    const results = [];
    for (const reference of [...numbers, ...numbers]) results.push((await send(reference)).body.result);
    expect(results).toEqual(['applied', 'applied', 'duplicate', 'duplicate']);
    const unmatched = { invoiceNumber: numbers[0], reason: `card ${numbers[1]}` };
    expect((await send('pi_9', unmatched)).body.result).toBe('unmatched');
    const { received, payments } = await owner.admin.ok(readInvoice, { params });
    expect(received).toBe(200);
    for (const { reference } of payments) expect(reference).toMatch(/^\*{12}4242 [\w-]{20}$/);
    expect(await unmatchedOf(owner)).toMatchObject([
      { invoiceNumber: '************4242', failure: 'card ************4242' },
    ]);
    const stored = JSON.stringify(await scanTable());
    for (const number of numbers) expect(stored).not.toContain(number);
  });

  test('to a closed account is refused, so that the provider sends it again after the reopening', async () => {
    const { owner, secret } = await withProvider();
    const { params, invoice } = await opened(owner);
    const send = () =>
      notify(owner, { ...paid, invoiceNumber: invoice.number ?? '' }, { secret, id: 'evt_1' });
    const account = { params: { id: owner.accountId } };
    const { name: confirmName } = await owner.admin.ok(readAccount, account);
    await owner.admin.ok(deleteAccount, { ...account, query: { confirmName } });
    const refused = await send();
    expect([refused.status, refused.body]).toMatchObject([403, { error: 'account_closed' }]);
    const unsigned = await notify(owner, paid, { secret: (await withProvider()).secret });
    expect(unsigned.status).toBe(401);
    await owner.admin.ok(reopenAccount, account);
    expect((await send()).body).toEqual({ result: 'applied' });
    expect(await owner.admin.ok(readInvoice, { params })).toMatchObject({ status: 'paid' });
  });

  test('without a valid signature is a 401, whatever its body is, and an invalid signed one is a 400', async () => {
    const { owner, secret } = await withProvider();
    const stranger = (await withProvider()).secret;
    const statusOf = async (rawBody: string, by?: string, accountId: string = owner.accountId) => {
      const bytes = Buffer.from(rawBody);
      const headers = by === undefined ? {} : signedHeaders(bytes, [by], `evt_${randomUUID()}`, clock.now());
      return (await call(receivePaymentNotice, { params: { accountId }, rawBody: bytes, headers })).status;
    };
    for (const body of ['{}', '{', '[]', '{"type":1}', `"${'x'.repeat(270_000)}"`]) {
      expect([await statusOf(body), await statusOf(body, stranger)]).toEqual([401, 401]);
      expect(await statusOf(body, secret, 'acc_nowhere')).toBe(401);
      expect(await statusOf(body, secret)).toBe(body.length > 262_144 ? 413 : 400);
    }
  });

  test('unmatched payments can be assigned once, or removed', async () => {
    const { owner, secret } = await withProvider();
    const { params } = await opened(owner);
    await notify(owner, { ...paid, invoiceNumber: 'INV-999999' }, { secret });
    await notify(owner, { ...paid, reference: 'pi_2', currency: 'EUR' }, { secret });
    const [euros, dollars] = await unmatchedOf(owner);
    const assign = (unmatchedId = 0) =>
      owner.admin.call(assignUnmatchedPayment, { params: { unmatchedId }, body: params });
    expect((await assign(euros?.id)).body.error).toBe('payment_unusable');
    expect((await assign(dollars?.id)).body).toMatchObject({ status: 'paid', amountDue: 0 });
    expect((await assign(dollars?.id)).status).toBe(404);
    await owner.admin.ok(deleteUnmatchedPayment, { params: { unmatchedId: euros?.id ?? 0 } });
    expect(await unmatchedOf(owner)).toEqual([]);
  });
});
