/** The terms from which the amounts of a line are computed. */
export interface LineTerms {
  /** With at most four decimals. */
  quantity: number;
  /** In the smallest unit of the currency. Negative for a discount. */
  unitAmount: number;
  /** In basis points with at most one decimal: 887.5 means 8.875 %. */
  taxRate?: number;
}

/** The computed amounts of a line or of an invoice. `total` is the sum of `net` and `tax`. */
export interface Amounts {
  net: number;
  tax: number;
  total: number;
}

/** The largest net amount of a line, and the largest amount of a payment. The sum of 100 lines is below 2^53. */
export const largestNet = 100_000_000_000;

/** The largest tax rate, in basis points. */
export const largestTaxRate = 10_000;

/** Divides exactly, and rounds half away from zero, so that a discount of a whole line results in 0. */
function divided(amount: bigint, by: bigint): number {
  const half = amount < 0n ? -by : by;
  return Number((2n * amount + half) / (2n * by));
}

/** Returns the tax on an amount. Half of the smallest unit is rounded up, for negative amounts down. */
export const taxOf = (net: number, taxRate: number): number =>
  divided(BigInt(net) * BigInt(Math.round(taxRate * 10)), 100_000n);

/** Computes the amounts of a line. Net amount and tax are rounded for each line. */
export function lineAmounts({ quantity, unitAmount, taxRate = 0 }: LineTerms): Amounts {
  const net = divided(BigInt(Math.round(quantity * 10_000)) * BigInt(unitAmount), 10_000n);
  const tax = taxOf(net, taxRate);
  return { net, tax, total: net + tax };
}

/** Sums the amounts of lines. */
export const sumOfLines = (lines: readonly Amounts[]): Amounts =>
  lines.reduce(
    (sum, { net, tax, total }) => ({ net: sum.net + net, tax: sum.tax + tax, total: sum.total + total }),
    { net: 0, tax: 0, total: 0 },
  );

/** The amounts that determine what remains to be paid. */
export interface Balance {
  total: number;
  /** Reductions after the invoice was opened. */
  credited: number;
  received: number;
  refunded: number;
  writtenOff: number;
}

/** Returns the amount that remains to be paid. The rules of invoices keep it from becoming negative. */
export const amountDueOf = ({ total, credited, received, refunded, writtenOff }: Balance): number =>
  total - credited - writtenOff - (received - refunded);
