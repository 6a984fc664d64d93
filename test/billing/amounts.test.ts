import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountDueOf,
  largestNet,
  largestTaxRate,
  lineAmounts,
  sumOfLines,
  taxOf,
} from '../../shared/billing/amounts.ts';
import {
  creditInvoice,
  openInvoice,
  recordPayment,
  recordRefund,
  voidInvoice,
  writeOffInvoice,
} from '../../shared/billing/change-invoice.ts';
import { amountOf, currencyCodes, decimalOf, minorDigitsOf } from '../../shared/billing/currencies.ts';
import { newInvoice } from '../../shared/billing/new-invoice.ts';
import type { Invoice } from '../../shared/billing/schema.ts';
import { ApiError } from '../../shared/errors.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { authoredBy } from '../../shared/table/revise.ts';

const rates = fc.integer({ min: 0, max: largestTaxRate });
/** A line whose net amount is within the limit. */
const line = fc
  .record({
    quantity: fc.integer({ min: 1, max: 1_000_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    taxRate: rates,
  })
  .map(({ quantity, share, taxRate }) => ({
    description: 'Line',
    quantity,
    unitAmount: Math.floor((share * largestNet) / quantity),
    taxRate,
  }));
const lines = fc.array(line, { minLength: 1, maxLength: 100 });

describe('the amounts of an invoice', () => {
  test('a tax is exact to half of the smallest unit, and half is rounded up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: largestNet }), rates, (net, rate) => {
        const exact = BigInt(net) * BigInt(rate);
        const tax = BigInt(taxOf(net, rate));
        // -1/2 < tax - exact/10,000 <= 1/2
        const difference = 2n * (tax * 10_000n - exact);
        expect(difference > -10_000n && difference <= 10_000n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect([taxOf(50, 100), taxOf(49, 100), taxOf(12_500 * 2, 825)]).toEqual([1, 0, 2_063]);
  });

  test('the sum of the parts equals the whole, in every order of the lines, in exact integers', () => {
    fc.assert(
      fc.property(lines, (sent) => {
        const computed = sent.map(lineAmounts);
        const sum = sumOfLines(computed);
        expect(sum.total).toBe(sum.net + sum.tax);
        expect(sum).toEqual(sumOfLines([...computed].reverse()));
        const exact = sent.reduce(
          (total, { quantity, unitAmount }) => total + BigInt(quantity) * BigInt(unitAmount),
          0n,
        );
        expect(BigInt(sum.net)).toBe(exact);
        expect(BigInt(sum.total)).toBe(computed.reduce((total, one) => total + BigInt(one.total), 0n));
        for (const amount of Object.values(sum)) expect(Number.isSafeInteger(amount)).toBe(true);
      }),
    );
  });
});

const now = new Date('2026-03-01T09:30:00.000Z');
const request = { ...authoredBy('grace@example.com', now), account: 'acme' as AccountId };
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

describe('currencies', () => {
  test('an amount as a decimal can be read back, in every currency', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencyCodes),
        fc.integer({ min: -largestNet, max: largestNet }),
        (currency, amount) => {
          expect(amountOf(decimalOf(amount, currency), currency)).toBe(amount);
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
    ['1,234', 'USD', 123_400],
    ['-3', 'USD', -300],
    ['1,234', 'JPY', 1_234],
    ['1.23', 'JPY', undefined],
    ['1.234', 'KWD', 1_234],
    ['', 'USD', undefined],
    ['12.3.4', 'USD', undefined],
    ['1e3', 'USD', undefined],
    ['NaN', 'USD', undefined],
  ])('%s in %s is %s', (text, currency, amount) => {
    expect(amountOf(text, currency)).toBe(amount);
  });
});
