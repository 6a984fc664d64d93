import { negated } from '../amounts/exact.ts';
import { byPosition } from './calculate.ts';
import type { ResidualLine } from './calculation.ts';

/** Two lines with these same values are equal for the beneficiary. The file and the place of their row may differ. */
const identifying = [
  ...(['kind', 'beneficiary', 'mid', 'processor', 'level', 'agreementId'] as const),
  ...(['of', 'base', 'basisPoints', 'amount', 'days'] as const),
];

const identityOf = (line: ResidualLine): string => JSON.stringify(identifying.map((field) => line[field]));

/** Returns a line that takes back another one. */
export const takenBack = (line: ResidualLine): ResidualLine => ({
  ...line,
  takenBack: true,
  amount: negated(line.amount),
});

/**
 * Returns the lines by which a new result differs from the posted one: the new lines that were not posted, and the posted
 * lines that are taken back.
 */
export function differences(after: readonly ResidualLine[], before: readonly ResidualLine[]): ResidualLine[] {
  const posted = new Map<string, ResidualLine[]>();
  for (const line of [...before].sort(byPosition)) {
    const identity = identityOf(line);
    const equal = posted.get(identity);
    if (equal) equal.push(line);
    else posted.set(identity, [line]);
  }
  const added = [...after]
    .sort(byPosition)
    .filter((line) => posted.get(identityOf(line))?.shift() === undefined);
  return [...added, ...[...posted.values()].flat().map(takenBack)].sort(byPosition);
}
