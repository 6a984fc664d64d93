import type { IndexedFields } from './indexed-fields.ts';

/**
 * Parts that were added to the search index of a record type after its first deployment:
 *
 * - `company` for a field in `names` or `texts`
 * - `=company` for a field in `values`
 * - `<lastContacted` for a field in `times`
 */
export interface IndexAddition {
  /** The declared name of the resource. */
  resource: string;
  parts: readonly string[];
}

/**
 * All additions, oldest first. An entry is never changed or removed, and a part that was removed from the index is added
 * again with a new entry. An account stores how many of these additions its index contains (`indexedAdditions`). The
 * schedule `work-queue-sweep` builds the others after a deployment. Until then, lists do not use these parts of the index.
 */
export const indexAdditions: IndexAddition[] = [];

export const valuePart = (field: string): string => `=${field}`;
export const timePart = (field: string): string => `<${field}`;

/** Returns the parts that the index of an account does not contain for all records yet. */
export const unbuiltParts = (
  { resource }: Pick<IndexedFields<never>, 'resource'>,
  { indexedAdditions = 0 }: { indexedAdditions?: number },
): ReadonlySet<string> =>
  new Set(
    indexAdditions
      .slice(indexedAdditions)
      .filter((addition) => addition.resource === resource)
      .flatMap(({ parts }) => parts),
  );
