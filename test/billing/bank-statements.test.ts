import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import readStatement from '../../functions/billing/read-statement.ts';
import receivePaymentNotice from '../../functions/billing/receive-payment-notice.ts';
import savePaymentProvider from '../../functions/billing/save-payment-provider.ts';
import importBankStatement from '../../functions/invoices/import-bank-statement.ts';
import listInvoices from '../../functions/invoices/list-invoices.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import recordRefund from '../../functions/invoices/record-refund.ts';
import searchRecords from '../../functions/search/search-records.ts';
import { referencesOf } from '../../shared/billing/bank-statements/identity.ts';
import { mentionsIn, numbersOf } from '../../shared/billing/read-number.ts';
import { signedHeaders } from '../../shared/messaging/webhooks/signature.ts';
import { containsCardNumber } from '../../shared/security/card-numbers.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import {
  bai2Style,
  camtStyle,
  csvStyle,
  mt940Style,
  ofxStyle,
  type TrueStatement,
  writeBai2,
  writeCamt053,
  writeCsv,
  writeMt940,
  writeOfx,
} from './statement-files.ts';
import { customer, opened, pay } from './world.ts';

const fee = (unitAmount: number) => ({ lines: [{ description: 'Fee', quantity: 1, unitAmount }] });

/** An account with open invoices of one customer: INV-000001 and the following numbers. */
async function billed(...amounts: readonly number[]) {
  const owner = await tenant();
  const customerId = await customer(owner);
  const params: { invoiceId: number }[] = [];
  for (const amount of amounts) params.push((await opened(owner, { customerId, ...fee(amount) })).params);
  return { owner, customerId, params };
}

const send = (owner: Tenant, csv: string, more: object = {}) =>
  owner.admin.ok(importBankStatement, { body: { csv, ...more } });
const outcomes = async (owner: Tenant, csv: string, more: object = {}) =>
  (await send(owner, csv, more)).transactions.map(({ result, reason }) => reason ?? result);
const invoice = ({ admin }: Tenant, params: { invoiceId: number } | undefined) =>
  admin.ok(readInvoice, { params: params ?? { invoiceId: 0 } });

describe('a bank statement', () => {
  test('never pays an invoice with money that left the account', async () => {
    const { owner } = await billed(1_000);
    const files = [
      'date,amount,Debit/credit,text\n2026-03-02,10.00,Debit,INV-000001',
      'date,amount,Transaction Type,text\n2026-03-02,10.00,DEBIT,INV-000001',
      'Datum;Af Bij;Bedrag;Mededelingen\n20260302;Af;10,00;INV-000001',
      'Buchungstag;Umsatz;S/H;Text\n02.03.2026;10,00;S;INV-000001',
      'date,debit,credit,text\n2026-03-02,10.00,,INV-000001',
      'date,amount,text\n2026-03-02,10.00-,INV-000001',
      'date,amount,text\n2026-03-02,(10.00),INV-000001',
      'date,amount,text\n2026-03-02,10.00 DR,INV-000001',
    ];
    for (const csv of files) expect(await outcomes(owner, csv), csv).toEqual(['not_incoming']);
    const unknown = 'date,amount,Debit/credit,text\n2026-03-02,10.00,Maybe,INV-000001';
    expect(await outcomes(owner, unknown)).toEqual(['direction_unknown']);
  });

  test('that a spreadsheet saved again does not pay an invoice again after its payment was returned', async () => {
    const { owner, params } = await billed(5_000);
    const bank = 'Date,Description,Amount\n2026-03-02,INV-000001 thanks,50.00\n';
    expect(await outcomes(owner, bank)).toEqual(['matched']);
    const refund = { amount: 5_000, reference: 'returned-1', reopens: true };
    await owner.admin.ok(recordRefund, { params: params[0] ?? { invoiceId: 0 }, body: refund });
    const again = [
      'Date,Description,Amount\n02/03/2026,INV-000001 thanks,50\n13/03/2026,x,-1\n',
      'Amount;Description;Date;Category\n50,00;INV-000001 thanks;02.03.2026;Sales\n',
    ];
    for (const csv of again) expect((await outcomes(owner, csv))[0]).toBe('duplicate');
    // With another text, it may be the same payment. A person decides.
    const other = 'Date,Description,Amount,Name\n2026-03-02,INV-000001,50.00,Harbor Street\n';
    expect(await outcomes(owner, other)).toEqual(['probable_duplicate']);
    expect(await invoice(owner, params[0])).toMatchObject({ amountDue: 5_000 });
    // The same customer pays again on another day.
    expect(await outcomes(owner, bank.replace('03-02', '03-09'))).toEqual(['matched']);
  });

  test('does not record a payment that a person recorded for the same day', async () => {
    const { owner, params } = await billed(5_000);
    await pay(owner, params[0] ?? { invoiceId: 0 }, 2_000, { paidOn: '2026-03-02' });
    const csv = 'date,amount,text\n2026-03-02,20.00,INV-000001\n2026-03-03,20.00,INV-000001\n';
    expect(await outcomes(owner, csv)).toEqual(['probable_duplicate', 'matched']);
  });

  test('records the good rows although one is bad', async () => {
    const { owner } = await billed(1_000, 2_000);
    const csv =
      'date,amount,text\n2026-03-02,10.00,INV-000001\n2026-02-30,20.00,INV-000002\n2026-03-02,x,y\n2026-03-02,20.00,INV-000002\n';
    expect(await outcomes(owner, csv)).toEqual([
      'matched',
      'date_unreadable',
      'amount_unreadable',
      'matched',
    ]);
  });

  test('records a part if the number is complete, and only the exact amount if it is not', async () => {
    const { owner, params } = await billed(10_000);
    const part = await send(
      owner,
      'date,amount,text\n2026-03-02,30.00,INV 42\n2026-03-02,30.00,INV-1\n2026-03-02,30.00,INV-000001\n',
    );
    expect(part.transactions.map(({ reason }) => reason)).toEqual([
      'unknown_number',
      'amount_differs',
      undefined,
    ]);
    expect(part.transactions[2]).toMatchObject({
      result: 'matched',
      amountDue: 7_000,
      invoiceNumber: 'INV-000001',
    });
    expect(await invoice(owner, params[0])).toMatchObject({ status: 'open', amountDue: 7_000 });
    expect(await outcomes(owner, 'date,amount,text\n2026-03-05,70.00,INV-1\n')).toEqual(['matched']);
    expect(await invoice(owner, params[0])).toMatchObject({ status: 'paid', received: 10_000 });
  });

  test('pays several invoices with exactly their sum, in one transaction', async () => {
    const { owner, customerId, params } = await billed(1_000, 2_000, 3_000);
    const csv =
      'date,amount,text\n2026-03-02,30.00,INV-1 + INV-000002\n2026-03-02,20.00,INV-000002 INV-000003\n';
    const { transactions } = await send(owner, csv);
    expect(transactions[0]).toMatchObject({
      result: 'matched',
      invoices: [
        { invoiceNumber: 'INV-000001', amount: 1_000 },
        { invoiceNumber: 'INV-000002', amount: 2_000 },
      ],
    });
    expect(transactions[1]).toMatchObject({ reason: 'several_invoices' });
    for (const paid of params.slice(0, 2))
      expect(await invoice(owner, paid)).toMatchObject({ status: 'paid' });
    const day = clock.now().toISOString().slice(0, 10);
    const ledger = await owner.admin.ok(readStatement, { query: { customerId, from: day, to: day } });
    expect(ledger.balances).toEqual([{ currency: 'USD', opening: 0, closing: 3_000 }]);
    expect(await outcomes(owner, csv)).toEqual(['duplicate', 'several_invoices']);
    const elsewhere = 'date,amount,text,name\n2026-03-02,30.00,INV-1 + INV-000002,Harbor\n';
    expect(await outcomes(owner, elsewhere)).toEqual(['probable_duplicate']);
  });

  test('reports a number that can mean two invoices', async () => {
    const { owner } = await billed(1_000);
    expect(await outcomes(owner, 'date,amount,text\n2026-03-02,10.00,INV-00 0001\n')).toEqual(['matched']);
    expect(mentionsIn('INV-12 345678')).toEqual([
      { numbers: ['INV-000012', 'INV-12345678'], isExact: false },
    ]);
  });
});

/** Random transactions that name one of four invoices, of which three exist, in full. */
const named: fc.Arbitrary<TrueStatement> = fc
  .array(
    fc.record({
      day: fc.integer({ min: 1, max: 3 }).map((day) => `2026-03-0${day}`),
      amount: fc.constantFrom(1_000, 2_000, 400, 5_000, -1_000),
      text: fc
        .constantFrom('INV-000001', 'INV-000002', 'INV-000003', 'INV-000009', 'rent')
        .map((one) => `Thanks ${one}`),
      reference: fc.constantFrom('R000001', 'R000002'),
      kind: fc.constant('booked' as const),
    }),
    { minLength: 2, maxLength: 12 },
  )
  .map((entries) => ({
    ...{ account: 'DE89370400440532013000', currency: 'USD', opening: 0 },
    entries: entries.toSorted((one, other) => (one.day < other.day ? -1 : 1)),
  }));

const writers = {
  csv: csvStyle.map((style) => (truth: TrueStatement) => writeCsv(truth, style)),
  mt940: mt940Style.map((style) => (truth: TrueStatement) => writeMt940(truth, style)),
  camt053: camtStyle.map((style) => (truth: TrueStatement) => writeCamt053(truth, style)),
  ofx: ofxStyle.map((style) => (truth: TrueStatement) => writeOfx(truth, style)),
  bai2: bai2Style.map((style) => (truth: TrueStatement) => writeBai2(truth, style)),
};
const file = fc.constantFrom(...Object.values(writers)).chain((one) => fc.tuple(one, one));

/** What the import does with each transaction, by the rules alone. */
function expected({ entries }: TrueStatement, dues: Map<string, number>): string[] {
  return entries.map(({ amount, text }) => {
    const number = text.slice(7);
    const due = dues.get(number);
    if (amount < 0) return 'not_incoming';
    if (number === 'rent') return 'no_number';
    if (due === undefined) return 'unknown_number';
    if (due === 0) return 'invoice_not_open';
    if (amount > due) return 'amount_differs';
    dues.set(number, due - amount);
    return 'matched';
  });
}

test('what is booked, reported and skipped is the truth, in every format, style and order of imports', async () => {
  await fc.assert(
    fc.asyncProperty(named, file, file, async (truth, [write, again], [elsewhere]) => {
      const { owner, params } = await billed(2_000, 1_000, 5_000);
      const dues = new Map([
        ['INV-000001', 2_000],
        ['INV-000002', 1_000],
        ['INV-000003', 5_000],
      ]);
      const sent = async (statement: string) =>
        (await owner.admin.ok(importBankStatement, { body: { statement } })).transactions;
      const first = await sent(write(truth).text);
      expect(first.map(({ result, reason }) => reason ?? result)).toEqual(expected(truth, dues));
      expect(first.map(({ line }) => line)).toEqual(write(truth).lines);
      const state = async () => Promise.all(params.map((one) => invoice(owner, one)));
      const paid = await state();
      expect(paid.map(({ amountDue }) => amountDue)).toEqual([...dues.values()]);
      const isMatched = first.map(({ result }) => result === 'matched');
      // The same statement in another style of its format.
      const second = await sent(again(truth).text);
      expect(second.map(({ result }) => result === 'duplicate')).toEqual(isMatched);
      // The same transactions in a file whose texts differ, as in another format.
      const other = truth.entries.map((entry) => ({ ...entry, text: `${entry.text} Harbor Street` }));
      const third = await sent(elsewhere({ ...truth, entries: other }).text);
      expect(third.map(({ reason }) => reason === 'probable_duplicate')).toEqual(isMatched);
      expect(await state()).toEqual(paid);
    }),
    { numRuns: 6 },
  );
});

describe('an invoice number', () => {
  test.each([
    'INV-42',
    'INV-000042',
    'inv000042',
    'INV–000042',
    'INV/000042',
    'INV_000042',
    'INV.42',
    'INV 42',
    'Inv. 42',
    'INV#42',
    'INV:000042',
    'INV - 42',
    'INV-00 0042',
    'INV-0000\n42',
    'I N V - 0 0 0 0 4 2',
    'ＩＮＶ－０００042',
    'Invoice no. 42',
    'INVOICE 000042',
    'INV-0000042',
    'IN V-000042',
    'INV\u00ad-000042',
    'INV‑000042',
  ])('written as %j is read, alone and within a text', (text) => {
    expect(numbersOf(text)).toEqual(['INV-000042']);
    for (const whole of [`Payment ${text} thanks`, `REF_${text}_B`, `(${text})`, `x,${text};`])
      expect(
        mentionsIn(whole).map(({ numbers }) => numbers[0]),
        whole,
      ).toEqual(['INV-000042']);
  });

  test.each(['INVEST 42', 'inventory 42', '42', 'INV-', 'INV-0', 'environment 42', 'RE-000042'])(
    'is not in %j',
    (text) => {
      expect([mentionsIn(text), numbersOf(text)]).toEqual([[], []]);
    },
  );

  test('is found in any spelling by searches, filters and notices', async () => {
    const { owner, params } = await billed(100, 200);
    await drain();
    for (const text of ['INV-2', 'inv 000002', 'INV/000002', 'INV000002', 'INV-00 0002']) {
      const found = await owner.admin.ok(listInvoices, { query: { search: text } });
      const filtered = await owner.admin.ok(listInvoices, { query: { number: [text] } });
      const everywhere = await owner.admin.ok(searchRecords, { query: { q: text } });
      // The best match comes first. Other fields can begin with the digits of a search.
      expect(found.data[0]?.number, text).toBe('INV-000002');
      expect(everywhere.invoices?.[0]?.number, text).toBe('INV-000002');
      expect(
        filtered.data.map(({ number }) => number),
        text,
      ).toEqual(['INV-000002']);
    }
    // The beginning of a number still finds all numbers that begin so.
    expect((await owner.admin.ok(listInvoices, { query: { search: 'INV-0000' } })).data).toHaveLength(2);
    const { secret = '' } = await owner.admin.ok(savePaymentProvider, { body: { name: 'N', active: true } });
    const data = { invoiceNumber: 'INV–2', amount: 200, currency: 'USD', reference: 'pi_1' };
    const body = { type: 'payment.received', timestamp: '2026-03-01T09:30:00.000Z', data };
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = signedHeaders(bytes, [secret], `evt_${randomUUID()}`, clock.now());
    const sent = await call(receivePaymentNotice, { params: { accountId: owner.accountId }, body, headers });
    expect(sent.body).toEqual({ result: 'applied' });
    expect(await invoice(owner, params[1])).toMatchObject({ status: 'paid' });
  });
});

test('the reference of a bank transaction never looks like the number of a card', () => {
  const entry = {
    line: 1,
    account: '',
    amount: 1,
    currency: 'USD',
    text: '',
    description: '',
    bankReference: '',
  };
  for (let n = 0; n < 20_000; n++)
    for (const reference of referencesOf([{ ...entry, day: String(n) }]))
      expect(containsCardNumber(reference)).toBe(false);
});
