import { invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import type { RecordId } from '../table/keys.ts';

/** The records to which the values of a filter refer. Every `recordStore` is one. */
interface Referenced {
  /** Returns undefined for a text that is no id of these records. */
  idFrom(text: string): RecordId | undefined;
  /** Returns the existing records with these ids. */
  findMany(account: AccountId, ids: readonly never[]): Promise<readonly unknown[]>;
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
 * Throws `invalid_input` if no value of a filter is the id of an existing record. It is called only if no record matches
 * the request: a deleted record can still have references, and other requests need no further read.
 */
export async function requireReferenced(
  references: References,
  account: AccountId,
  query: Readonly<Record<string, unknown>>,
): Promise<void> {
  await Promise.all(
    referencesIn(references, query).map(async ({ name, records, ids }) => {
      const found = await records.findMany(account, ids as never[]);
      if (found.length === 0) throw invalid(name, 'must be the id of an existing record');
    }),
  );
}
