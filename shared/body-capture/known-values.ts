import type { Span } from '../security/spans.ts';
import type { WorkBudget } from './work-budget.ts';

/** Values with fewer characters are not searched for in other fields, because they occur by chance. */
export const shortestKnown = 4;

/** The size of the filter of first characters. */
const filterSize = 4096;

/** A comparison of this number of characters costs as much as another step. */
const comparedAtOnce = 16;

/** Sensitive values of a request, which are removed from all its texts. */
export interface KnownValues {
  /** Returns the places of the values in a text, as they were sent or without separators. */
  placesIn(text: string, budget: WorkBudget): Span[];
  includes(text: string): boolean;
}

/**
 * Prepares the search for values in many texts. The values are found by their first characters, so a text is read once for
 * all values.
 */
export function knownValues(values: readonly string[]): KnownValues {
  const spellings = new Set(values.flatMap(spellingsOf).filter((value) => value.length > 0));
  let fewest = shortestKnown;
  for (const { length } of spellings) fewest = Math.min(fewest, length);
  const byStart = new Map<string, { values: string[]; cost: number }>();
  const filter = new Uint8Array(filterSize);
  for (const value of spellings) {
    const start = value.slice(0, fewest);
    const sameStart = byStart.get(start) ?? { values: [], cost: 0 };
    byStart.set(start, sameStart);
    sameStart.values.push(value);
    sameStart.cost += 1 + value.length / comparedAtOnce;
    filter[placeInFilter(value, 0, fewest)] = 1;
  }
  return {
    includes: (text) => spellings.has(text),
    placesIn(text, budget) {
      const found: Span[] = [];
      if (spellings.size === 0) return found;
      for (let from = 0; from + fewest <= text.length; from++) {
        if (filter[placeInFilter(text, from, fewest)] === 0) continue;
        const candidates = byStart.get(text.slice(from, from + fewest));
        if (!candidates) continue;
        budget.spend(candidates.cost);
        if (budget.isSpent()) return found;
        let longest = 0;
        for (const value of candidates.values)
          if (value.length > longest && text.startsWith(value, from)) longest = value.length;
        if (longest > 0) found.push({ from, to: from + longest });
      }
      return found;
    },
  };
}

function placeInFilter(text: string, from: number, length: number): number {
  let hash = 0;
  for (let index = 0; index < length; index++) hash = (hash * 31 + text.charCodeAt(from + index)) | 0;
  return (hash ^ (hash >>> 12)) & (filterSize - 1);
}

/** A value as it was sent, and without separators. */
const spellingsOf = (value: string): string[] => {
  const bare = value.replaceAll(/[\s.-]/g, '');
  return bare === value || bare.length < shortestKnown ? [value] : [value, bare];
};
