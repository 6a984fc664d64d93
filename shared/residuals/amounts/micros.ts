/** An amount in millionths of the currency, as a safe integer. */
export type Micros = number;

/** The millionths of one unit of a currency. */
export const microsPerUnit = 1_000_000;

/** An amount or a sum that is not a safe integer, which is 9 billion units of the currency. */
export class AmountTooLarge extends Error {}

/** Adds amounts. Throws `AmountTooLarge` if a sum is not exact. */
export function sumMicros(amounts: Iterable<Micros>): Micros {
  let sum = 0;
  for (const amount of amounts) sum = addMicros(sum, amount);
  return sum;
}

/** Adds two amounts. Throws `AmountTooLarge` if the sum is not exact. */
export function addMicros(one: Micros, other: Micros): Micros {
  const sum = one + other;
  if (!Number.isSafeInteger(sum)) throw new AmountTooLarge('The sum of the amounts is too large.');
  return sum;
}

/** Returns an amount in the decimal notation of JSON, without an exponent and without zeros at the end: `-12.3`. */
export function decimalOfMicros(micros: Micros): string {
  const digits = String(Math.abs(micros)).padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}
