import { invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import type { SignedIn } from '../security/principal.ts';
import { hides, isReachedType } from '../security/reach.ts';
import type { RecordId } from '../table/keys.ts';

/** The records to which the values of a filter refer. Every `recordStore` is one. */
interface Referenced {
  /** The name of the resource, if these are the records of one. */
  subject?: string;
  /** Returns undefined for a text that is no id of these records. */
  idFrom(text: string): RecordId | undefined;
  /** Returns the existing records with these ids. */
  findMany(account: AccountId, ids: readonly never[]): Promise<readonly unknown[]>;
  /**
   * For records that are hidden with other records: returns those that are not hidden from the caller. `wanted` is the number
   * of ids in the request. Sends as many requests for hidden records as for missing ones.
   */
  shown?(
    principal: SignedIn,
    account: AccountId,
    found: readonly never[],
    wanted: number,
  ): Promise<readonly unknown[]>;
}

/** The filters by the id of another record. */
export type References = Readonly<Record<string, Referenced>>;

/** Returns the references of a request with their values. Throws `invalid_input` for a malformed value. */
export const referencesIn = (references: References, query: Readonly<Record<string, unknown>>) =>
  Object.entries(references).flatMap(([name, records]) => {
    if (query[name] === undefined) return [];
    const ids = [query[name]].flat().map((value) => {
      const id = records.idFrom(String(value));
      if (id === undefined) throw invalid(name, 'is malformed');
      return id;
    });
    return [{ name, records, ids }];
  });

/**
 * Returns the filters of which no value is the id of an existing record. It is called only if no record matches the
 * request: a deleted record can still have references, and other requests need no further read. A hidden record is treated
 * as missing, see `hides`.
 */
export async function unknownReferences(
  references: References,
  account: AccountId,
  query: Readonly<Record<string, unknown>>,
  principal: SignedIn,
): Promise<string[]> {
  const names = await Promise.all(
    referencesIn(references, query).map(async ({ name, records, ids }) => {
      const found = await records.findMany(account, ids as never[]);
      const { subject } = records;
      const known = records.shown
        ? await records.shown(principal, account, found as never[], ids.length)
        : subject !== undefined && isReachedType(subject)
          ? found.filter((record) => !hides(principal, subject, record as object))
          : found;
      return known.length === 0 ? [name] : [];
    }),
  );
  return names.flat();
}

/** Throws `invalid_input` if a request has filters that `unknownReferences` returned. */
export function requireReferenced([unknown]: readonly string[]): void {
  if (unknown !== undefined) throw invalid(unknown, 'must be the id of an existing record');
}
