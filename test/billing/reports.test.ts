import { afterEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import readAgeing from '../../functions/billing/read-ageing.ts';
import readStatement from '../../functions/billing/read-statement.ts';
import creditInvoice from '../../functions/invoices/credit-invoice.ts';
import importBankStatement from '../../functions/invoices/import-bank-statement.ts';
import openInvoice from '../../functions/invoices/open-invoice.ts';
import printInvoice from '../../functions/invoices/print-invoice.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import recordRefund from '../../functions/invoices/record-refund.ts';
import voidInvoice from '../../functions/invoices/void-invoice.ts';
import writeOffInvoice from '../../functions/invoices/write-off-invoice.ts';
import { daysAfter } from '../../shared/instant.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { customer, draft, opened, pay } from './world.ts';

afterEach(clock.reset);

const days = (count: number) => clock.advance(count * 86_400_000);
const today = () => clock.now().toISOString().slice(0, 10);
const fee = (unitAmount: number) => ({ lines: [{ description: 'Fee', quantity: 1, unitAmount }] });

describe('the statement of a customer', () => {
  test('has the balances before and after a period, and the entries of the period with running balances', async () => {
    const { directKey, ...signedIn } = await tenant();
    // The session of an administrator would end before the period does.
    const owner = { ...signedIn, directKey, admin: directKey };
    const customerId = await customer(owner);
    const first = await opened(owner, { customerId, ...fee(10_000) });
    days(40);
    await pay(owner, first.params, 4_000);
    days(40);
    const from = today();
    const second = await opened(owner, { customerId, ...fee(500) });
    await owner.admin.ok(creditInvoice, {
      params: first.params,
      body: { amount: 1_000, reason: 'Goodwill' },
    });
    await owner.admin.ok(recordRefund, { params: first.params, body: { amount: 100, reference: 're_1' } });
    await opened(owner, { customerId, ...fee(77), currency: 'EUR' });
    const to = today();
    days(40);
    await owner.admin.ok(writeOffInvoice, { params: first.params });
    await owner.admin.ok(voidInvoice, { params: second.params });
    const statement = (period: object) =>
      owner.admin.ok(readStatement, { query: { customerId, from, to, ...period } });
    const middle = await statement({});
    expect(middle.balances).toEqual([
      { currency: 'EUR', opening: 0, closing: 77 },
      { currency: 'USD', opening: 6_000, closing: 5_500 },
    ]);
    expect(middle.entries.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
      ['invoice', 500, 6_500],
      ['credit', -1_000, 5_500],
      ['refund', 100, 5_600],
      ['credit', -100, 5_500],
      ['invoice', 77, 77],
    ]);
    const whole = await statement({ from: '2020-01-01', to: today() });
    expect(whole.balances).toEqual([
      { currency: 'EUR', opening: 0, closing: 77 },
      { currency: 'USD', opening: 0, closing: 0 },
    ]);
    expect(whole.entries.map(({ kind }) => kind).slice(-2)).toEqual(['write_off', 'void']);
    // The closing balance of a day is the opening balance of the next day, for every day.
    for (
      let at = Date.parse(from) - 90 * 86_400_000;
      at < Date.parse(to) + 50 * 86_400_000;
      at += 7 * 86_400_000
    ) {
      const [day, next] = [at, at + 86_400_000].map((one) => new Date(one).toISOString().slice(0, 10));
      const [one, other] = [
        await statement({ from: day, to: day }),
        await statement({ from: next, to: next }),
      ];
      const closing = Object.fromEntries(one.balances.map((balance) => [balance.currency, balance.closing]));
      for (const balance of other.balances) expect(balance.opening).toBe(closing[balance.currency] ?? 0);
    }
  });

  test('is empty for an unknown customer and an early period, and refuses a reversed period', async () => {
    const { admin } = await tenant();
    const query = { customerId: '1', from: '2026-01-01', to: '2026-01-31' };
    expect(await admin.ok(readStatement, { query })).toMatchObject({ balances: [], entries: [] });
    // The service creates no ids with a time before 2025.
    const early = { ...query, from: '2024-01-01', to: '2024-12-31' };
    expect(await admin.ok(readStatement, { query: early })).toMatchObject({ balances: [], entries: [] });
    const reversed = await admin.call(readStatement, { query: { ...query, to: '2025-12-31' } });
    expect([reversed.status, reversed.body.error]).toEqual([400, 'invalid_input']);
    for (const customerId of ['a#b', '#', '1#']) {
      const separated = await admin.call(readStatement, { query: { ...query, customerId } });
      expect([separated.status, separated.body.details?.[0]?.field]).toEqual([400, 'customerId']);
    }
  });
});

describe('the days of an account', () => {
  test.each([
    // In the order of time, because ids of a process never decrease.
    ['Asia/Tokyo', '2029-02-28T16:00:00.000Z', '2029-03-01', '2029-03-31'],
    ['UTC', '2029-02-28T23:30:00.000Z', '2029-02-28', '2029-03-30'],
    ['America/New_York', '2029-03-01T03:00:00.000Z', '2029-02-28', '2029-03-30'],
    ['Pacific/Pago_Pago', '2029-03-01T10:30:00.000Z', '2029-02-28', '2029-03-30'],
    ['Pacific/Kiritimati', '2029-03-01T10:30:00.000Z', '2029-03-02', '2029-04-01'],
  ])('in %s at %s is %s, in print, due dates, ageing and statements', async (timezone, at, day, due) => {
    clock.advance(Date.parse(at) - Date.now());
    const owner = await tenant();
    await owner.admin.ok(updateAccount, { params: { id: owner.accountId }, body: { timezone } });
    const customerId = await customer(owner);
    const { params, invoice } = await opened(owner, { customerId, ...fee(100) });
    expect(invoice).toMatchObject({ issuedOn: day, dueDate: due });
    const printed = async () => String((await owner.admin.call(printInvoice, { params })).body);
    expect(await printed()).toContain(`<dt>Date</dt><dd>${day}</dd><dt>Due</dt><dd>${due}</dd>`);
    expect((await owner.admin.ok(readAgeing)).asOf).toBe(day);
    const balances = async (from: string, to = from) =>
      (await owner.admin.ok(readStatement, { query: { customerId, from, to } })).balances;
    expect(await balances(day)).toEqual([{ currency: 'USD', opening: 0, closing: 100 }]);
    expect(await balances(daysAfter(day, -1))).toEqual([]);
    expect(await balances(daysAfter(day, 1))).toEqual([{ currency: 'USD', opening: 100, closing: 100 }]);
    const { entries } = await owner.admin.ok(readStatement, {
      query: { customerId, from: daysAfter(day, -40), to: day },
    });
    expect(entries).toHaveLength(1);
    // A printed date does not change with the account's settings.
    const other = timezone === 'UTC' ? 'Asia/Tokyo' : 'UTC';
    await owner.admin.ok(updateAccount, {
      params: { id: owner.accountId },
      body: { timezone: other },
    });
    expect(await printed()).toContain(`<dt>Date</dt><dd>${day}</dd>`);
  });
});

describe('the ageing report', () => {
  test('sums the amounts due by customer, currency and days overdue', async () => {
    const owner = await tenant();
    const harbor = await customer(owner);
    const zebra = await customer(owner, 'Zebra Coffee');
    const open = (customerId: string, dueDate: string, unitAmount: number, currency = 'USD') =>
      opened(owner, { customerId, dueDate, currency, ...fee(unitAmount) });
    await open(harbor, '2126-03-31', 1);
    await open(harbor, '2126-03-30', 10);
    await open(harbor, '2126-03-01', 100);
    await open(harbor, '2126-02-28', 1_000);
    await open(harbor, '2126-01-30', 10_000);
    const partly = await open(harbor, '2125-12-30', 200_000);
    await pay(owner, partly.params, 100_000);
    await open(zebra, '2126-04-30', 7);
    await open(zebra, '2126-04-30', 9, 'JPY');
    const paid = await open(zebra, '2125-01-01', 5);
    await pay(owner, paid.params, 5);
    await draft(owner, { customerId: zebra });
    const report = await owner.admin.ok(readAgeing, { query: { asOf: '2126-03-31' } });
    const none = { current: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 };
    const aged = {
      current: 1,
      days1To30: 110,
      days31To60: 11_000,
      days61To90: 0,
      over90: 100_000,
      total: 111_111,
    };
    expect(report).toEqual({
      asOf: '2126-03-31',
      complete: true,
      customers: [
        {
          customerType: 'merchant',
          customerId: zebra,
          customerName: 'Zebra Coffee',
          currency: 'JPY',
          ...none,
          current: 9,
          total: 9,
        },
        {
          customerType: 'merchant',
          customerId: harbor,
          customerName: 'Harbor Street Coffee',
          currency: 'USD',
          ...aged,
        },
        {
          customerType: 'merchant',
          customerId: zebra,
          customerName: 'Zebra Coffee',
          currency: 'USD',
          ...none,
          current: 7,
          total: 7,
        },
      ],
      totals: [
        { currency: 'JPY', ...none, current: 9, total: 9 },
        { currency: 'USD', ...aged, current: 8, total: 111_118 },
      ],
    });
    const filtered = await owner.admin.ok(readAgeing, {
      query: { asOf: '2126-03-31', customerId: zebra, currency: 'USD' },
    });
    expect(filtered.totals).toEqual([{ currency: 'USD', ...none, current: 7, total: 7 }]);
  });
});

describe('the ageing report of a past day', () => {
  test('is what it was at the end of that day, after payments, refunds, credits, voidings and write-offs', async () => {
    // Later than all other tests of this file, because ids of a process never decrease.
    clock.advance(Date.parse('2030-01-01T12:00:00.000Z') - Date.now());
    const { directKey, ...signedIn } = await tenant();
    // The session of an administrator would end before the period does.
    const owner = { ...signedIn, directKey, admin: directKey };
    const { admin } = owner;
    const body = { timezone: 'America/New_York' };
    await signedIn.admin.ok(updateAccount, { params: { id: owner.accountId }, body });
    const [harbor, zebra] = [await customer(owner), await customer(owner, 'Zebra Coffee')];
    const open = async (customerId: string, unitAmount: number, more: object = {}) =>
      (await opened(owner, { customerId, ...fee(unitAmount), ...more })).params;
    const first = await open(harbor, 10_000);
    const second = await open(zebra, 500);
    const third = await open(zebra, 700, { currency: 'EUR' });
    const drafted = { invoiceId: (await draft(owner, { customerId: harbor, ...fee(1) })).id };
    let fourth = first;
    const steps = [
      () => pay(owner, first, 4_000),
      () => admin.ok(openInvoice, { params: drafted }),
      () => pay(owner, third, 700),
      () => admin.ok(recordRefund, { params: third, body: { amount: 50, reference: 're_1', reopens: true } }),
      () => admin.ok(creditInvoice, { params: first, body: { amount: 1_000, reason: 'Goodwill' } }),
      () => admin.ok(voidInvoice, { params: second }),
      async () => {
        fourth = await open(harbor, 77);
      },
      () => admin.ok(writeOffInvoice, { params: first }),
      () => pay(owner, first, 2_000),
      () => pay(owner, fourth, 77),
    ];
    const lived = [];
    for (const step of steps) {
      lived.push(await admin.ok(readAgeing));
      days(9);
      await step();
    }
    for (const was of lived) expect(await admin.ok(readAgeing, { query: { asOf: was.asOf } })).toEqual(was);
    expect(new Set(lived.map(({ totals }) => JSON.stringify(totals))).size).toBe(lived.length);
    const before = await admin.ok(readAgeing, { query: { asOf: '2020-01-01' } });
    expect(before).toMatchObject({ customers: [], totals: [], complete: true });
  });
});

describe('a bank statement', () => {
  test('pays invoices by number and amount, and reports the rest with reasons', async () => {
    const owner = await tenant();
    const customerId = await customer(owner);
    for (const amount of [10_000, 20_000, 30_000]) await opened(owner, { customerId, ...fee(amount) });
    const yen = await opened(owner, { customerId, currency: 'JPY', ...fee(500) });
    const csv = [
      'Date;Amount;Currency;Purpose',
      '2026-03-02;100,00;;"Invoice INV-000001; thank you"',
      '2026-03-02;250,00;;inv-000002',
      '2026-03-03;500;JPY;INV000004',
      '2026-03-03;-12,00;;Bank fee',
      '2026-03-03;12,00;;No number',
      '2026-03-03;12,00;;INV-000099',
      '2026-03-03;12,00;EUR;INV-000002',
      '2026-03-03;400,00;;INV-000002 and INV-000003',
      '2026-03-03;1.2.3;;INV-000002',
      '2026-03-04;100,00;;INV-000001 again',
    ].join('\r\n');
    const send = () => owner.admin.ok(importBankStatement, { body: { csv } });
    const first = await send();
    expect(first).toMatchObject({ matched: 2, duplicates: 0, unmatched: 8, failed: 0 });
    expect(first.transactions.map(({ line, result, reason }) => [line, reason ?? result])).toEqual([
      [2, 'matched'],
      [3, 'amount_differs'],
      [4, 'matched'],
      [5, 'not_incoming'],
      [6, 'no_number'],
      [7, 'unknown_number'],
      [8, 'other_currency'],
      [9, 'several_invoices'],
      [10, 'amount_unreadable'],
      [11, 'invoice_not_open'],
    ]);
    expect(first.transactions[1]).toMatchObject({
      amount: 25_000,
      amountDue: 20_000,
      invoiceNumber: 'INV-000002',
    });
    const { payments } = await owner.admin.ok(readInvoice, { params: yen.params });
    expect(payments).toMatchObject([{ amount: 500, method: 'bank_transfer', paidOn: '2026-03-03' }]);
    const before = (await storedEvents(owner.accountId)).length;
    expect(await send()).toMatchObject({ matched: 0, duplicates: 2, unmatched: 8 });
    expect((await storedEvents(owner.accountId)).length).toBe(before);
  });

  test('that is sent four times at once records each payment once', async () => {
    const owner = await tenant();
    const customerId = await customer(owner);
    const rows: string[] = [];
    for (let n = 0; n < 10; n++) {
      const { invoice } = await opened(owner, { customerId, ...fee(100) });
      rows.push(`2026-03-02,1.00,${invoice.number}`);
    }
    const csv = `date,amount,text\n${rows.join('\n')}`;
    const sent = await concurrently(4, () => owner.admin.ok(importBankStatement, { body: { csv } }));
    expect(sent.reduce((sum, { matched }) => sum + matched, 0)).toBe(10);
    expect(sent.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(30);
    const events = await storedEvents(owner.accountId);
    expect(events.filter(({ kind }) => kind === 'payment_received')).toHaveLength(10);
  });

  test('two equal transactions of one statement are two payments of which only one fits', async () => {
    const owner = await tenant();
    const { invoice } = await opened(owner, fee(100));
    const csv = `date,amount,text\n2026-03-02,1.00,${invoice.number}\n2026-03-02,1.00,${invoice.number}\n`;
    const { transactions } = await owner.admin.ok(importBankStatement, { body: { csv } });
    expect(transactions.map(({ result, reason }) => reason ?? result)).toEqual([
      'matched',
      'invoice_not_open',
    ]);
  });

  test('a dry run changes nothing', async () => {
    const owner = await tenant();
    const { params, invoice } = await opened(owner, fee(100));
    await owner.admin.dryRun(importBankStatement, {
      body: { csv: `date,amount,text\n2026-03-02,1,${invoice.number}` },
    });
    expect(await owner.admin.ok(readInvoice, { params })).toMatchObject({ status: 'open' });
  });

  test.each([
    ['date,text\n2026-03-01,x'],
    ['amount,text\n1,x'],
    [`date,amount\n${'2026-03-01,1\n'.repeat(201)}`],
  ])('that cannot be read is refused: %j', async (csv) => {
    const { admin } = await tenant();
    const { status, body } = await admin.call(importBankStatement, { body: { csv } });
    expect([status, body.error, body.details?.[0]?.field]).toEqual([400, 'invalid_input', 'csv']);
  });
});

describe('a printed invoice', () => {
  test('contains every value as text, and allows no scripts and no other resources', async () => {
    const owner = await tenant();
    const evil = `<script>alert(1)</script>"'&`;
    const customerId = await customer(owner, evil);
    const lines = [
      { description: `<img src=x onerror=alert(1)>`, quantity: 1_000, unitAmount: 123_456, taxRate: 825 },
    ];
    const { params } = await opened(owner, { customerId, lines, memo: evil });
    await pay(owner, params, 100);
    const response = await owner.admin.call(printInvoice, { params });
    const page = String(response.body);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page).not.toMatch(/<script|<img/i);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
    for (const text of ['INV-000001', '1,234,560.00', '101,851.20', '1,336,411.20', '1,336,410.20', '8.25 %'])
      expect(page).toContain(text);
  });
});
