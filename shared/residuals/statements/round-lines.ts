import { minorDigitsOf } from '../../billing/currencies.ts';
import { type Micros, microsPerUnit, sumMicros } from '../amounts/micros.ts';

/** The millionths of the smallest unit of a currency: 10,000 for USD. */
export const microsPerMinor = (currency: string): number => microsPerUnit / 10 ** minorDigitsOf(currency);

/** Rounds an amount to the smallest unit. Half of it is rounded away from zero. */
export function roundMinor(amount: Micros, currency: string): number {
  const unit = microsPerMinor(currency);
  const rest = amount % unit;
  const whole = (amount - rest) / unit;
  const rounded = Math.abs(rest) * 2 >= unit ? whole + Math.sign(rest) : whole;
  return rounded === 0 ? 0 : rounded;
}

/** An amount to round. `order` decides between amounts with equal remainders. */
interface Exact {
  amount: Micros;
  order: string;
}

/**
 * Rounds amounts so that their sum is `total`, in the smallest unit. Each amount is first cut to whole units. The missing
 * units go to the amounts with the largest remainders. The result depends neither on the order of the amounts nor, except for
 * its sign, on their sign.
 */
export function roundLines(lines: readonly Exact[], total: number, currency: string): number[] {
  const unit = microsPerMinor(currency);
  const rounded = lines.map(({ amount }) => Math.trunc(amount / unit) + 0);
  const missing = total - sumMicros(rounded);
  const direction = Math.sign(missing);
  if (direction === 0) return rounded;
  const remainders = lines.map(({ amount }) => (amount % unit) * direction);
  const places = [...lines.keys()].sort(
    (one, other) =>
      (remainders[other] ?? 0) - (remainders[one] ?? 0) || compareLines(lines[one], lines[other]),
  );
  for (let n = 0; n < Math.abs(missing); n++) {
    const place = places[n % places.length] ?? 0;
    rounded[place] = (rounded[place] ?? 0) + direction;
  }
  return rounded;
}

function compareLines(one: Exact | undefined, other: Exact | undefined): number {
  if (!one || !other) return 0;
  if (one.order !== other.order) return one.order < other.order ? -1 : 1;
  return Math.abs(other.amount) - Math.abs(one.amount);
}
