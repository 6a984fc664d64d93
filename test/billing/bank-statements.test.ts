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
import { daysOf } from '../../shared/billing/bank-statements/imported-days.ts';
import { readBankFile } from '../../shared/billing/bank-statements/read-bank-file.ts';
import { decimalOf } from '../../shared/billing/currencies.ts';
import { mentionsIn, numbersOf } from '../../shared/billing/read-number.ts';
import { signedHeaders } from '../../shared/messaging/webhooks/signature.ts';
import { containsCardNumber } from '../../shared/security/card-numbers.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import type { Tenant } from '../harness/tenant.ts';
import {
  bai2Style,
  camtStyle,
  closingOf,
  csvStyle,
  mt940Style,
  ofxStyle,
  type TrueEntry,
  type TrueStatement,
  writeBai2,
  writeCamt053,
  writeCsv,
  writeMt940,
  writeOfx,
} from './statement-files.ts';
import { billed, pay } from './world.ts';

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

  test('that is repeated changes nothing, although a payment of the first import changed an amount due', async () => {
    const { owner, params } = await billed(5_000);
    const csv = 'date,amount,text\n2026-03-02,30.00,INV-1\n2026-03-02,20.00,INV-000001\n';
    expect(await outcomes(owner, csv)).toEqual(['matched', 'matched']);
    const paid = await invoice(owner, params[0]);
    expect(await outcomes(owner, csv)).toEqual(['duplicate', 'duplicate']);
    expect(await invoice(owner, params[0])).toEqual(paid);
  });

  test('reports a number that can mean two invoices', async () => {
    const { owner } = await billed(1_000);
    expect(await outcomes(owner, 'date,amount,text\n2026-03-02,10.00,INV-00 0001\n')).toEqual(['matched']);
    expect(mentionsIn('INV-12 345678')).toEqual([
      { numbers: ['INV-000012', 'INV-12345678'], isExact: false },
    ]);
  });
});

const mt940 = (entries: readonly [mark: string, amount: string, text: string, reference?: string][]) => {
  const closing = entries.reduce(
    (sum, [mark, amount]) => sum + (['C', 'RD'].includes(mark) ? 1 : -1) * Number(amount),
    100_000,
  );
  const written = entries.map(
    ([mark, amount, text, reference = ''], at) =>
      `:61:2603020302${mark}${amount},NTRFNONREF//${reference || `B${at}`}\n:86:${text}\n`,
  );
  return `:20:X\n:25:DE89370400440532013000\n:60F:C260301USD100000,\n${written.join('')}:62F:C260302USD${closing},\n`;
};

describe('a reversal', () => {
  test('of money that came in is reported with the recorded payment', async () => {
    const { owner, params } = await billed(5_000, 1_000, 2_000);
    const first = mt940([
      ['C', '50', 'INV-000001', 'A'],
      ['C', '30', 'INV-000002 INV-000003'],
    ]);
    expect(await outcomes(owner, first)).toEqual(['matched', 'matched']);
    const paid = await invoice(owner, params[0]);
    const { transactions } = await send(
      owner,
      mt940([
        ['RC', '50', 'Return of INV-000001'],
        ['RC', '30', 'INV-000002 INV-000003'],
        ['RC', '20', 'INV-000001'],
        ['RC', '7', 'rent'],
        ['D', '50', 'INV-000001'],
      ]),
    );
    const [{ reference = '' } = {}] = paid.payments;
    expect(transactions[0]).toMatchObject({
      ...{ result: 'unmatched', reason: 'reversal', amount: -5_000 },
      ...{ invoiceNumber: 'INV-000001', reversedPayment: reference },
    });
    expect(transactions[1]).toMatchObject({
      reason: 'reversal',
      reversedPayment: expect.stringMatching(/^bank:/),
      invoices: [
        { invoiceNumber: 'INV-000002', amount: 1_000 },
        { invoiceNumber: 'INV-000003', amount: 2_000 },
      ],
    });
    expect(transactions.slice(2).map(({ reason }) => reason)).toEqual([
      'reversal',
      'reversal',
      'not_incoming',
    ]);
    for (const other of transactions.slice(2)) expect(other).not.toHaveProperty('reversedPayment');
    // No payment was recorded or changed.
    expect(await invoice(owner, params[0])).toEqual(paid);
  });

  test('is found by the bank’s id of a payment in the same statement', async () => {
    const { owner, params } = await billed(10_000);
    const { transactions } = await send(
      owner,
      mt940([
        ['C', '30', 'INV-000001', 'A'],
        ['C', '30', 'INV-000001', 'B'],
        ['RC', '30', 'no such account', 'B'],
      ]),
    );
    const { payments } = await invoice(owner, params[0]);
    expect(transactions[2]).toMatchObject({ reason: 'reversal', reversedPayment: payments[1]?.reference });
  });

  test('of money that left the account pays an invoice only with exactly its amount due', async () => {
    const { owner, params } = await billed(5_000);
    const refused = mt940([
      ['RD', '20', 'INV-000001'],
      ['RD', '50', 'rent'],
      ['RD', '50', 'INV-000009'],
      ['RD', '60', 'INV-000001'],
    ]);
    expect(await outcomes(owner, refused)).toEqual(Array.from({ length: 4 }, () => 'reversal'));
    expect(await invoice(owner, params[0])).toMatchObject({ amountDue: 5_000 });
    // A refund that the bank could not deliver: the invoice was to be paid again, and the money is back.
    const back = mt940([['RD', '50', 'Refund INV-000001 returned']]);
    expect(await outcomes(owner, back)).toEqual(['matched']);
    expect(await outcomes(owner, back)).toEqual(['duplicate']);
    expect(await invoice(owner, params[0])).toMatchObject({ status: 'paid', amountDue: 0 });
  });

  test('in CAMT.053 is a payment only if the balances show its direction', async () => {
    const { owner } = await billed(5_000);
    const entry = '<Amt Ccy="USD">50.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd>';
    const balance = (type: string, amount: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
    const camt = (balances: string) =>
      `<Document><BkToCstmrStmt><Stmt>${balances}<Ntry>${entry}<Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><AddtlNtryInf>INV-000001</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>`;
    const of = async (balances: string) => {
      const body = { statement: camt(balances) };
      return (await owner.admin.ok(importBankStatement, { body })).transactions;
    };
    expect(await of('')).toMatchObject([{ reason: 'reversal' }]);
    expect(await of(balance('OPBD', '100.00') + balance('CLBD', '50.00'))).toMatchObject([
      { reason: 'reversal', amount: -5_000 },
    ]);
    expect(await of(balance('OPBD', '100.00') + balance('CLBD', '150.00'))).toMatchObject([
      { result: 'matched', amount: 5_000 },
    ]);
  });

  test.each([
    [252, ['reversal', 'matched']],
    [257, ['reversal', 'matched']],
    [254, ['correction', 'correction']],
    [552, ['reversal', 'reversal']],
    [555, ['reversal', 'reversal']],
    [475, ['not_incoming', 'not_incoming']],
    [165, ['matched', 'matched']],
  ])('in BAI2 has a type: %j', async (type, wanted) => {
    const { owner } = await billed(5_000, 1_000);
    const bai2 = `01,1,2,260302,0200,1,80,,2/\n02,2,1,1,260302,,USD,2/\n03,123,USD/\n16,${type},100,Z,A,,INV-000001\n16,${type},1000,Z,B,,INV-000002\n49,0,2/\n98,0,1,4/\n99,0,1,6/\n`;
    expect(await outcomes(owner, bai2)).toEqual(wanted);
  });
});

describe('a day that was imported in another format', () => {
  const account = 'DE89370400440532013000';
  const camt = (texts: readonly string[], { iban = account, opening = '100', closing = '120' } = {}) => {
    const amount = (size: string) => `<Amt Ccy="USD">${size}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
    const balance = (type: string, size: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${amount(size)}</Bal>`;
    const entries = texts.map(
      (text) =>
        `<Ntry>${amount('10.00')}<Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`,
    );
    return `<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${balance('OPBD', opening)}${balance('CLBD', closing)}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
  };
  const csv =
    'date,amount,text,account\n2026-03-02,10.00,INV-000001,..3000\n2026-03-02,10.00,INV-000002,..3000\n';
  const [one, two] = [1_000, 1_000];

  test('has only probable duplicates, although its texts name other invoices', async () => {
    const { owner } = await billed(one, two, 1_000, 1_000);
    expect(await outcomes(owner, csv)).toEqual(['matched', 'matched']);
    const { transactions } = await send(owner, camt(['INV-000003', 'INV-000004']));
    expect(transactions).toMatchObject([
      { reason: 'probable_duplicate', invoiceNumber: 'INV-000003' },
      { reason: 'probable_duplicate', invoiceNumber: 'INV-000004' },
    ]);
    // The same format in another style is not affected, and neither is another day.
    expect(await outcomes(owner, csv.replaceAll(',', ';'))).toEqual(['duplicate', 'duplicate']);
    const later = camt(['INV-000003', 'INV-000004']).replaceAll('03-02', '03-03');
    expect(await outcomes(owner, later)).toEqual(['matched', 'matched']);
  });

  test.each([
    ['another account', { iban: 'DE02120300000000202051' }, undefined],
    ['another balance', { opening: '500', closing: '520' }, true],
  ])('is not recognized in a statement of %s', async (_, more, isMt940) => {
    const { owner } = await billed(one, two, 1_000, 1_000);
    const first = isMt940
      ? mt940([
          ['C', '10', 'INV-000001'],
          ['C', '10', 'INV-000002'],
        ])
      : csv;
    expect(await outcomes(owner, first)).toEqual(['matched', 'matched']);
    expect(await outcomes(owner, camt(['INV-000003', 'INV-000004'], more))).toEqual(['matched', 'matched']);
  });

  test('is recognized by its balances', async () => {
    const { owner } = await billed(one, two, 1_000, 1_000);
    const first = mt940([
      ['C', '10', 'INV-000001'],
      ['C', '10', 'INV-000002'],
    ]);
    expect(await outcomes(owner, first)).toEqual(['matched', 'matched']);
    const same = camt(['INV-000003', 'INV-000004'], { opening: '100000', closing: '100020' });
    expect(await outcomes(owner, same)).toEqual(['probable_duplicate', 'probable_duplicate']);
  });

  test('is not recognized if nothing was recorded', async () => {
    const { owner } = await billed(one, two);
    expect(await outcomes(owner, csv.replaceAll('INV-', 'rent '))).toEqual(['no_number', 'no_number']);
    expect(await outcomes(owner, camt(['INV-000001', 'INV-000002']))).toEqual(['matched', 'matched']);
  });

  test('has the amounts of all pages, and the balance of the last one', () => {
    const page = (from: number, entries: string, to: number, mark: string) =>
      `:20:X\n:25:${account}\n:60${mark}:C260301EUR${from},\n${entries}:62${mark}:C260302EUR${to},\n-\n`;
    const entry = (day: string, amount: number) => `:61:26${day}${day}C${amount},NTRFNONREF//A\n`;
    const pages = page(5, entry('0301', 1) + entry('0302', 2), 8, 'M') + page(8, entry('0302', 4), 12, 'M');
    const options = { currency: 'EUR' };
    const [first, second, ...others] = [...daysOf(readBankFile(pages, options)).values()];
    const day = { format: 'mt940', currency: 'EUR', accountEnd: '3000' };
    expect([first, second, others]).toMatchObject([
      { ...day, day: '2026-03-01', closing: 600 },
      { ...day, day: '2026-03-02', closing: 1_200 },
      [],
    ]);
    const rows = 'date,amount\n2026-03-02,4.00\n2026-03-01,1\n2026-03-02,2\n';
    const days = daysOf(readBankFile(rows, options)).values();
    expect([...days].map(({ amounts }) => amounts)).toEqual([first?.amounts, second?.amounts]);
  });
});

/** The invoices of the accounts in which random statements are imported. A fourth number is unknown. */
const dues = { 'INV-000001': 2_000, 'INV-000002': 1_000, 'INV-000003': 5_000 };

/** Texts with the numbers that they name, and whether the number is complete. */
const purposes = [
  ['Thanks INV-000001', ['INV-000001'], true],
  ['Thanks INV-000002', ['INV-000002'], true],
  ['Thanks INV-000003', ['INV-000003'], true],
  ['Thanks inv 1', ['INV-000001'], false],
  ['Thanks inv-3', ['INV-000003'], false],
  ['Both INV-000001 INV-000002', ['INV-000001', 'INV-000002'], true],
  ['Thanks INV-000009', ['INV-000009'], true],
  ['rent of March', [], true],
] as const;

const writers = {
  csv: csvStyle.map((style) => (truth: TrueStatement) => writeCsv(truth, style)),
  mt940: mt940Style.map((style) => (truth: TrueStatement) => writeMt940(truth, style)),
  camt053: camtStyle.map((style) => (truth: TrueStatement) => writeCamt053(truth, style)),
  ofx: ofxStyle.map((style) => (truth: TrueStatement) => writeOfx(truth, style)),
  bai2: bai2Style.map((style) => (truth: TrueStatement) => writeBai2(truth, style)),
};
type Format = keyof typeof writers;
const formats = Object.keys(writers) as Format[];

/**
 * The kinds of transactions that a format can mark, so that the import knows them. CSV only shows that something was
 * reversed.
 */
const kindsOf: Readonly<Record<Format, readonly TrueEntry['kind'][]>> = {
  csv: ['booked', 'pending'],
  mt940: ['booked', 'pending', 'reversal'],
  camt053: ['booked', 'pending', 'reversal'],
  ofx: ['booked'],
  bai2: ['booked', 'reversal'],
};

/** Transactions of kinds that two formats have in common. */
const truthFor = (one: Format, other: Format): fc.Arbitrary<TrueStatement> =>
  fc
    .array(
      fc.record({
        day: fc.integer({ min: 1, max: 3 }).map((day) => `2026-03-0${day}`),
        amount: fc.constantFrom(1_000, 2_000, 400, 5_000, 3_000, -1_000),
        text: fc.constantFrom(...purposes).map(([text]) => text),
        reference: fc.constantFrom('R000001', 'R000002'),
        kind: fc.constantFrom(
          ...(['booked', 'booked', 'booked'] as const),
          ...kindsOf[one].filter((kind) => kindsOf[other].includes(kind)),
        ),
      }),
      { minLength: 2, maxLength: 12 },
    )
    .filter((entries) => {
      // If reversals cancel each other out, the balances of CAMT.053 do not show their direction.
      const reversals = entries.filter(({ kind }) => kind === 'reversal');
      return reversals.length === 0 || reversals.reduce((sum, { amount }) => sum + amount, 0) !== 0;
    })
    .map((entries) => ({
      ...{ account: 'DE89370400440532013000', currency: 'USD', opening: 12_345 },
      entries: entries.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
    }));

const plan = fc
  .tuple(fc.constantFrom(...formats), fc.constantFrom(...formats))
  .filter(([one, other]) => one !== other)
  .chain(([one, other]) =>
    fc.record({
      format: fc.constant(one),
      truth: truthFor(one, other),
      write: writers[one],
      again: writers[one],
      elsewhere: writers[other],
      isSameText: fc.boolean(),
    }),
  );

/** Returns the result of each transaction, computed from the rules only. Changes `remaining`, the amounts due. */
function expected({ entries }: TrueStatement, remaining: Map<string, number>): string[] {
  const once = ({ amount, text, kind }: TrueEntry): string => {
    const [, numbers = [], isComplete] = purposes.find(([one]) => one === text) ?? [];
    const [number = '', ...others] = numbers;
    const unmatched = (reason: string) => (kind === 'reversal' ? 'reversal' : reason);
    if (kind === 'pending') return 'pending';
    if (amount < 0) return unmatched('not_incoming');
    if (numbers.length === 0) return unmatched('no_number');
    const amounts = numbers.map((one) => remaining.get(one));
    if (others.length > 0) {
      if (amounts.includes(0) || amounts.reduce((sum = 0, due = 0) => sum + due, 0) !== amount)
        return unmatched('several_invoices');
      for (const one of numbers) remaining.set(one, 0);
      return 'matched';
    }
    const [due] = amounts;
    if (due === undefined) return unmatched('unknown_number');
    if (due === 0) return unmatched('invoice_not_open');
    if (amount !== due && (amount > due || !isComplete || kind === 'reversal'))
      return unmatched('amount_differs');
    remaining.set(number, due - amount);
    return 'matched';
  };
  // Another payment can change the amount due, so that a transaction before it fits.
  const results = entries.map(once);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [at, entry] of entries.entries())
      if (
        ['amount_differs', 'several_invoices', 'reversal', 'invoice_not_open'].includes(results[at] ?? '')
      ) {
        if (once(entry) !== 'matched') continue;
        results[at] = 'matched';
        changed = true;
      }
  }
  return results;
}

test('what is booked, reported and skipped is the truth, in every format and style, and stays so', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(plan, async ({ format, truth, write, again, elsewhere, isSameText }) => {
      const { owner, params } = await billed(...Object.values(dues));
      const remaining = new Map(Object.entries(dues));
      const sent = (statement: string) => owner.admin.ok(importBankStatement, { body: { statement } });
      const outcomesIn = (one: Awaited<ReturnType<typeof sent>>) =>
        one.transactions.map(({ result, reason }) => reason ?? result);
      const state = async () => Promise.all(params.map((one) => invoice(owner, one)));
      // A statement without one of its transactions is refused, if the format has balances.
      if (format === 'mt940' || format === 'camt053' || format === 'bai2') {
        const wrong = { statement: write({ ...truth, missing: 7 }).text };
        const refused = await owner.admin.call(importBankStatement, { body: wrong });
        const closing = closingOf(truth);
        const stated = decimalOf(closing + 7, truth.currency);
        expect(refused.status).toBe(400);
        expect(JSON.stringify(refused.body)).toMatch(/lead to [-\d.]+ USD, but it closes with [-\d.]+ USD/);
        expect(JSON.stringify(refused.body)).toContain(`closes with ${stated} USD`);
        // Banks write the signs of reversals differently, so that their sum is only known if the balances agree.
        if (truth.entries.every(({ kind }) => kind !== 'reversal'))
          expect(JSON.stringify(refused.body)).toContain(`lead to ${decimalOf(closing, truth.currency)} USD`);
      }
      const file = write(truth);
      const first = await sent(file.text);
      const wanted = expected(truth, remaining);
      for (const one of wanted) seen.add(one);
      expect(outcomesIn(first)).toEqual(wanted);
      expect(first.format).toBe(format);
      expect(first.transactions.map(({ line }) => line)).toEqual(file.lines);
      expect(first.matched).toBe(wanted.filter((one) => one === 'matched').length);
      expect(first.unmatched).toBe(wanted.filter((one) => one !== 'matched').length);
      expect(first.skipped).toBe(file.skipped ?? 0);
      const paid = await state();
      expect(paid.map(({ amountDue }) => amountDue)).toEqual([...remaining.values()]);
      // The same statement in another style of its format.
      const second = await sent(again(truth).text);
      expect(second.transactions.map(({ result }) => result)).toEqual(
        wanted.map((one) => (one === 'matched' ? 'duplicate' : 'unmatched')),
      );
      expect(await state()).toEqual(paid);
      // The statement in another format, in which the texts can differ.
      const text = (one: string) => (isSameText ? one : `${one} Harbor Street`);
      const other = truth.entries.map((entry) => ({ ...entry, text: text(entry.text) }));
      const third = await sent(elsewhere({ ...truth, entries: other }).text);
      // Each transaction that was recorded is recognized. Others of the same day can be probable duplicates, too.
      const numbersIn = (one?: string) => purposes.find(([purpose]) => purpose === one)?.[1];
      const nameAt = (at: number) =>
        JSON.stringify([
          truth.entries[at]?.day,
          truth.entries[at]?.amount,
          numbersIn(truth.entries[at]?.text),
        ]);
      const recognized = third.transactions.flatMap(({ result, reason }, at) =>
        result === 'duplicate' || reason === 'probable_duplicate' ? nameAt(at) : [],
      );
      const recorded = wanted.flatMap((one, at) => (one === 'matched' ? nameAt(at) : []));
      const countIn = (names: readonly string[], name: string) => names.filter((one) => one === name).length;
      for (const name of recorded)
        expect(countIn(recognized, name)).toBeGreaterThanOrEqual(countIn(recorded, name));
      expect(third.matched).toBe(0);
      expect(await state()).toEqual(paid);
    }),
    { numRuns: 20 },
  );
  expect([...seen]).toEqual(expect.arrayContaining(['matched', 'not_incoming']));
}, 240_000);

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
