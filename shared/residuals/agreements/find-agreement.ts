import { type AppliedTerms, type Applying, scopeName, termsIn } from './terms.ts';

/** The agreement that applies to a row, with its terms in the month. */
export interface FoundAgreement extends AppliedTerms {
  agreement: Applying;
}

/** The parts of a row that decide which agreement applies. */
interface Placed {
  mid: string;
  merchantId?: number;
  processor: string;
}

/** Returns the function that finds the agreement of a row in a month: the most specific one that applies. */
export function agreementFinder(
  agreements: readonly Applying[],
  month: string,
): (row: Placed) => FoundAgreement | undefined {
  const byScope = new Map<string, FoundAgreement>();
  for (const agreement of agreements) {
    const applied = termsIn(agreement, month);
    if (applied) byScope.set(scopeName(agreement.scope), { agreement, ...applied });
  }
  return ({ mid, merchantId, processor }) =>
    byScope.get(scopeName({ mid })) ??
    (merchantId === undefined ? undefined : byScope.get(scopeName({ merchantId }))) ??
    byScope.get(scopeName({ processor })) ??
    byScope.get(scopeName({}));
}
