/** A line of an invoice, as a caller sends it. */
interface LineTerms {
  quantity: number;
  /** In the smallest unit of the currency. */
  unitAmount: number;
  /** In basis points: 825 means 8.25 %. */
  taxRate?: number;
}

/** The computed amounts of a line or of an invoice. `total` is the sum of `net` and `tax`. */
export interface Amounts {
  net: number;
  tax: number;
  total: number;
}

/**
 * The largest net amount of a line. With it, `net * taxRate` is below 2^53, so that all results are exact. The sum of 100
 * lines is exact, too.
 */
export const largestNet = 100_000_000_000;

/** The largest tax rate, in basis points. */
export const largestTaxRate = 10_000;

/** Returns the tax on an amount. Half of the smallest unit is rounded up. */
export function taxOf(net: number, taxRate: number): number {
  const exact = net * taxRate + 5_000;
  return (exact - (exact % 10_000)) / 10_000;
}

/** Computes the amounts of a line. The tax is rounded for each line. */
export function lineAmounts({ quantity, unitAmount, taxRate = 0 }: LineTerms): Amounts {
  const net = quantity * unitAmount;
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
