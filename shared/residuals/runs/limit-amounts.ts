import type { FoundAgreement } from '../agreements/find-agreement.ts';
import { addMicros, type Micros, sumMicros } from '../amounts/micros.ts';
import type { ResidualLine } from './calculation.ts';

/**
 * Returns the line with the difference to the minimum or the cap of a MID. Both limit the size of the sum, so that a file
 * with negated amounts takes back exactly the amounts of the file. `lines` are the shares of the MID.
 */
export function limitLine(lines: readonly ResidualLine[], found: FoundAgreement | undefined): ResidualLine[] {
  const [first] = lines;
  if (!first || !found) return [];
  const { cap } = found.terms;
  // The minimum ends with the agreement.
  const minimum = found.hasEnded ? undefined : found.terms.minimum;
  if (minimum === undefined && cap === undefined) return [];
  const sum = sumMicros(lines.map(({ amount }) => amount));
  const direction = Math.sign(sum) || Math.sign(sumMicros(lines.map(({ base }) => base)));
  const amount = addMicros(limited(sum, direction, { minimum, cap }), -sum);
  if (amount === 0) return [];
  const { basisPoints, count, amountPerItem, costs, tierTotal, ...line } = first;
  return [
    {
      ...line,
      kind: 'limit',
      base: sumMicros(lines.map(({ base }) => base)),
      sum,
      ...(minimum !== undefined && { minimum }),
      ...(cap !== undefined && { cap }),
      amount,
    },
  ];
}

function limited(
  sum: Micros,
  direction: number,
  { minimum = 0, cap = Number.MAX_SAFE_INTEGER }: { minimum?: Micros; cap?: Micros },
): Micros {
  const size = Math.min(Math.max(Math.abs(sum), minimum), cap);
  return direction === 0 || size === 0 ? 0 : direction * size;
}
