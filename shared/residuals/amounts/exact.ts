import { AmountTooLarge, type Micros } from './micros.ts';

/**
 * Multiplies an amount by a fraction of integers, and drops the part below a millionth. So a part of an amount is never
 * larger than the amount, and the part of a negated amount is the negated part. Throws `AmountTooLarge`.
 */
export function partOf(amount: Micros, numerator: number, denominator: number): Micros {
  const product = amount * numerator;
  if (Number.isSafeInteger(product))
    return withoutMinusZero((product - (product % denominator)) / denominator);
  const exact = Number((BigInt(amount) * BigInt(numerator)) / BigInt(denominator));
  if (!Number.isSafeInteger(exact)) throw new AmountTooLarge('A product of the amounts is too large.');
  return withoutMinusZero(exact);
}

/** The basis points of the whole. */
export const allPoints = 10_000;

/** Returns a part of an amount in basis points. */
export const pointsOf = (amount: Micros, basisPoints: number): Micros =>
  partOf(amount, basisPoints, allPoints);

/** Returns the negated amount, and 0 for 0. */
export const negated = (amount: Micros): Micros => withoutMinusZero(-amount);

const withoutMinusZero = (amount: number): number => (amount === 0 ? 0 : amount);
