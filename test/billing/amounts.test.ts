import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountDueOf,
  type LineTerms,
  largestNet,
  largestTaxRate,
  lineAmounts,
  sumOfLines,
  taxOf,
} from '../../shared/billing/amounts.ts';
import { readAmount } from '../../shared/billing/bank-statements/read-amount.ts';
import {
  creditInvoice,
  openInvoice,
  recordPayment,
  recordRefund,
  voidInvoice,
  writeOffInvoice,
} from '../../shared/billing/change-invoice.ts';
import { currencyCodes, decimalOf, minorDigitsOf } from '../../shared/billing/currencies.ts';
import { newInvoice } from '../../shared/billing/new-invoice.ts';
import type { Invoice, InvoiceInput } from '../../shared/billing/schema.ts';
import { ApiError } from '../../shared/errors.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { authoredBy } from '../../shared/table/revise.ts';

/** A rate in basis points, with at most one decimal. */
const rates = fc.integer({ min: 0, max: largestTaxRate * 10 }).map((tenths) => tenths / 10);
/** A line whose net amount is within the limit, possibly with a part of a quantity, possibly a discount. */
const terms = fc
  .record({
    units: fc.integer({ min: 1, max: 10_000_000_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    sign: fc.constantFrom(1, -1),
    taxRate: rates,
  })
  .map(({ units, share, sign, taxRate }) => ({
    quantity: units / 10_000,
    unitAmount: Math.floor(share * Math.min(largestNet, largestNet / (units / 10_000))) * sign,
    taxRate,
  }));
const lines = fc.array(terms, { minLength: 1, maxLength: 100 });

/** Expects that an amount is an exact fraction, rounded half away from zero. */
function expectRounded(amount: number, numerator: bigint, denominator: bigint): void {
  const [rounded, exact] = numerator < 0n ? [-BigInt(amount), -numerator] : [BigInt(amount), numerator];
  // -1/2 < rounded - exact/denominator <= 1/2
  const difference = 2n * (rounded * denominator - exact);
  expect(difference > -denominator && difference <= denominator).toBe(true);
}
const tenths = (rate: number) => BigInt(Math.round(rate * 10));

describe('the amounts of an invoice', () => {
  test('a tax is exact to half of the smallest unit, and half is rounded away from zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: -largestNet, max: largestNet }), rates, (net, rate) => {
        expectRounded(taxOf(net, rate), BigInt(net) * tenths(rate), 100_000n);
        expect(taxOf(-net, rate) + taxOf(net, rate)).toBe(0);
      }),
      { numRuns: 2_000 },
    );
    expect([taxOf(50, 100), taxOf(49, 100), taxOf(12_500 * 2, 825), taxOf(-50, 100)]).toEqual([
      1, 0, 2_063, -1,
    ]);
    // New York City: 8.875 %. Quebec: 9.975 %.
    expect([taxOf(1_000_000, 887.5), taxOf(1_000_000, 997.5)]).toEqual([88_750, 99_750]);
  });

  test('a line is computed exactly, and a discount of the same terms cancels it', () => {
    fc.assert(
      fc.property(terms, (line) => {
        const { net, tax, total } = lineAmounts(line);
        expectRounded(net, BigInt(Math.round(line.quantity * 10_000)) * BigInt(line.unitAmount), 10_000n);
        expectRounded(tax, BigInt(net) * tenths(line.taxRate), 100_000n);
        expect(total).toBe(net + tax);
        const cancelled = lineAmounts({ ...line, unitAmount: 0 - line.unitAmount });
        expect(sumOfLines([{ net, tax, total }, cancelled])).toEqual({ net: 0, tax: 0, total: 0 });
      }),
      { numRuns: 2_000 },
    );
    expect(lineAmounts({ quantity: 1.25, unitAmount: 333 })).toMatchObject({ net: 416 });
    expect(lineAmounts({ quantity: 0.0001, unitAmount: 5_000 })).toMatchObject({ net: 1 });
  });

  test('the sum of the parts equals the whole, in every order of the lines, in exact integers', () => {
    fc.assert(
      fc.property(lines, (sent) => {
        const computed = sent.map(lineAmounts);
        const sum = sumOfLines(computed);
        expect(sum.total).toBe(sum.net + sum.tax);
        expect(sum).toEqual(sumOfLines([...computed].reverse()));
        for (const name of ['net', 'tax', 'total'] as const)
          expect(BigInt(sum[name])).toBe(computed.reduce((total, one) => total + BigInt(one[name]), 0n));
        for (const amount of Object.values(sum)) expect(Number.isSafeInteger(amount)).toBe(true);
      }),
    );
  });

  test('the lines of an invoice can be sent back as they are shown', () => {
    const drafted = (sent: InvoiceInput['lines']) =>
      newInvoice(
        request,
        { customerType: 'merchant', customerId: '1', currency: 'USD', lines: sent },
        customer,
      );
    const asSent = (exact: readonly LineTerms[]) =>
      exact.map(({ quantity, unitAmount, taxRate = 0 }) => ({
        ...{ description: 'Line', exactQuantity: quantity, unitAmount, exactTaxRate: taxRate },
      }));
    fc.assert(
      fc.property(lines, (sent) => {
        const { total: sum } = sumOfLines(sent.map(lineAmounts));
        if (sum < 0 || sum > 100 * largestNet) {
          expect(() => drafted(asSent(sent))).toThrow(ApiError);
          return;
        }
        const { lines: shown, total } = drafted(asSent(sent));
        for (const one of shown) {
          expect(Number.isInteger(one.quantity) && one.quantity >= 1 && one.unitAmount >= 0).toBe(true);
          expect(Number.isInteger(one.taxRate)).toBe(true);
        }
        expect(drafted(shown)).toMatchObject({ lines: shown, total });
      }),
    );
  });
});

const now = new Date('2026-03-01T09:30:00.000Z');
const request = {
  ...authoredBy('grace@example.com', now),
  account: 'acme' as AccountId,
  accountRecord: { timezone: 'UTC' },
};
const customer = { customerName: 'Harbor Street Coffee' };

const step = fc.oneof(
  fc.record({
    kind: fc.constant('pay' as const),
    amount: fc.integer({ min: 1, max: 400 }),
    reference: fc.integer({ min: 0, max: 9 }),
  }),
  fc.record({
    kind: fc.constant('fail' as const),
    amount: fc.integer({ min: 1, max: 400 }),
    reference: fc.integer({ min: 0, max: 9 }),
  }),
  fc.record({
    kind: fc.constant('refund' as const),
    amount: fc.integer({ min: 1, max: 400 }),
    reference: fc.integer({ min: 0, max: 9 }),
    reopens: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('credit' as const), amount: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ kind: fc.constantFrom('void' as const, 'write off' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function take(before: Invoice, one: Step) {
  switch (one.kind) {
    case 'pay':
    case 'fail': {
      const result = one.kind === 'pay' ? ('received' as const) : ('failed' as const);
      const body = { result, amount: one.amount, method: 'card' as const, reference: `p${one.reference}` };
      return recordPayment(before, body, request).change;
    }
    case 'refund':
      return recordRefund(before, { ...one, reference: `r${one.reference}` }, request).change;
    case 'credit':
      return creditInvoice(before, { amount: one.amount, reason: 'Goodwill' }, request);
    case 'void':
      return voidInvoice(before, request);
    default:
      return writeOffInvoice(before, request);
  }
}

test('after any payments, refunds, credits and write-offs, the ledger equals the amount due, and no amount is negative', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.array(step, { maxLength: 40 }),
      (unitAmount, steps) => {
        const input = {
          customerType: 'merchant' as const,
          customerId: '1',
          currency: 'USD',
          lines: [{ description: 'Fee', quantity: 1, unitAmount }],
        };
        const draft = newInvoice(request, input, customer);
        let { after: invoice, entries } = openInvoice(draft, 'INV-000001', customer, request);
        let ledger = entries.reduce((sum, { amount }) => sum + amount, 0);
        for (const one of steps) {
          try {
            const change = take(invoice, one);
            if (!change) continue;
            ({ after: invoice, entries } = change);
            ledger += entries.reduce((sum, { amount }) => sum + amount, 0);
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
          }
          const { status, amountDue, received, refunded, payments, refunds, credited, writtenOff, total } =
            invoice;
          expect(ledger).toBe(amountDue);
          if (status !== 'void') expect(amountDue).toBe(amountDueOf(invoice));
          expect(status === 'open').toBe(amountDue > 0);
          expect(status === 'uncollectible').toBe(writtenOff > 0);
          for (const amount of [amountDue, credited, writtenOff, received - refunded])
            expect(amount).toBeGreaterThanOrEqual(0);
          const sumOf = (some: readonly { amount: number }[]) =>
            some.reduce((sum, { amount }) => sum + amount, 0);
          expect(sumOf(payments.filter(({ result }) => result === 'received'))).toBe(received);
          expect(sumOf(refunds)).toBe(refunded);
          expect(total).toBe(unitAmount);
          const outcomes = payments.map(({ result, reference, amount }) =>
            result === 'received' ? `received ${reference}` : `failed ${reference} ${amount}`,
          );
          expect(new Set(outcomes).size).toBe(payments.length);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test('100 failures do not block a payment, and 100 payments can pay the largest total', () => {
  const line = { description: 'Terminals', quantity: 1, unitAmount: largestNet };
  const input = { customerType: 'merchant' as const, customerId: '1', currency: 'USD' };
  const draft = newInvoice(request, { ...input, lines: Array(100).fill(line) }, customer);
  let { after: invoice } = openInvoice(draft, 'INV-000001', customer, request);
  const record = (result: 'received' | 'failed', reference: string) => {
    const body = { result, amount: largestNet, method: 'card' as const, reference };
    invoice = recordPayment(invoice, body, request).change?.after ?? invoice;
  };
  for (let n = 0; n < 100; n++) record('failed', `p${n}`);
  expect(() => record('failed', 'p100')).toThrow(ApiError);
  for (let n = 0; n < 100; n++) record('received', `p${n}`);
  expect(invoice).toMatchObject({ status: 'paid', amountDue: 0, received: 100 * largestNet });
});

describe('currencies', () => {
  test('an amount as a decimal can be read back, in every currency', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencyCodes),
        fc.integer({ min: -largestNet, max: largestNet }),
        (currency, amount) => {
          expect(readAmount(decimalOf(amount, currency), currency, 'point')).toEqual({ amount, currency });
        },
      ),
    );
  });

  test('yen have no smaller unit, dollars have cents, and dinars have three digits', () => {
    expect(['JPY', 'USD', 'KWD'].map(minorDigitsOf)).toEqual([0, 2, 3]);
    expect([decimalOf(1234, 'JPY'), decimalOf(5, 'USD'), decimalOf(-1234, 'KWD')]).toEqual([
      '1234',
      '0.05',
      '-1.234',
    ]);
  });

  test.each([
    ['1,234.50', 'USD', 123_450],
    ['1.234,50', 'EUR', 123_450],
    ['1 234,5', 'EUR', 123_450],
    ['1’234.50', 'CHF', 123_450],
    ['1,00,000.00', 'INR', 10_000_000],
    ['1,234', 'USD', 123_400],
    ['$1,234.50', 'USD', 123_450],
    ['1.234,50 €', 'EUR', 123_450],
    ['$5', 'CAD', 500],
    ['(50.00)', 'USD', -5_000],
    ['50.00-', 'USD', -5_000],
    ['−3', 'USD', -300],
    ['-$3', 'USD', -300],
    ['+3', 'USD', 300],
    ['.50', 'USD', 50],
    ['-3', 'USD', -300],
    ['1,234', 'JPY', 1_234],
    ['JPY 1000.00', 'JPY', 1_000],
    ['18.1500', 'EUR', 1_815],
    ['1.23', 'JPY', undefined],
    ['1.234', 'KWD', undefined],
    ['1.2345', 'KWD', undefined],
    ['', 'USD', undefined],
    ['-', 'USD', undefined],
    ['--3', 'USD', undefined],
    ['12.3.4', 'USD', undefined],
    ['1,23.00', 'USD', undefined],
    ['1e3', 'USD', undefined],
    ['50.00 X', 'USD', undefined],
    ['NaN', 'USD', undefined],
    ['99999999999999999999', 'USD', undefined],
  ])('%s in %s is %s', (text, currency, amount) => {
    expect(readAmount(text, currency)?.amount).toBe(amount);
  });

  test('a text can name its currency and its direction', () => {
    expect(readAmount('EUR 5.00 CR', 'USD')).toEqual({ amount: 500, currency: 'EUR', direction: 'in' });
    expect(readAmount('5,00 S', 'EUR')).toEqual({ amount: 500, currency: 'EUR', direction: 'out' });
    expect(readAmount('€5', 'USD')).toEqual({ amount: 500, currency: 'EUR' });
  });

  test('the style of a file decides numbers with two meanings', () => {
    expect(readAmount('1.234', 'KWD', 'point')?.amount).toBe(1_234);
    expect(readAmount('1.234', 'KWD', 'comma')?.amount).toBe(1_234_000);
    expect(readAmount('1.234', 'EUR', 'comma')?.amount).toBe(123_400);
    expect(readAmount('1.234', 'EUR', 'point')?.amount).toBeUndefined();
  });
});
