import { filterBy } from '../../endpoints/list-filters.ts';
import type { AccountId } from '../../id/account-id.ts';
import { array, string } from '../../schema.ts';
import { digits } from '../../table/keys.ts';
import { converted, type ListSource, readOnce, shortListSource } from '../../table/list-source.ts';
import { type Candidates, newestFirst } from '../../table/read-index.ts';
import { mids } from '../mids/store.ts';
import { merchants } from './store.ts';
import type { MerchantSummary } from './summarize-merchant.ts';

/** The most words of a search that are compared with the numbers of MIDs. */
const mostNumbers = 10;

/** The filter `mid`. The list's source must be `merchantsWithMids`. */
export const midFilter = {
  ...filterBy(
    array(string({ minLength: 1, maxLength: 32 }), {
      description: 'The numbers of MIDs, in any case. Finds the merchants that have them.',
    }),
    () => true,
  ),
  isAppliedBySource: true as const,
};

/** Returns the merchants that have MIDs with these numbers, newest first. */
export const merchantsWithMids = (
  account: AccountId,
  numbers: readonly string[],
): ListSource<MerchantSummary> =>
  shortListSource(async () => {
    const owners = await mids.ownersOf(account, numbers);
    const found = (await merchants.listOf(account).index?.load([...owners.keys()])) ?? [];
    return found
      .filter((owner) => owner !== undefined)
      .sort(newestFirst)
      .map(({ record }) => record);
  });

/**
 * Returns the merchants of an account. A search also finds them by the whole numbers of their MIDs, which the search index
 * does not contain.
 */
export function searchedMerchants(account: AccountId, search = ''): ListSource<MerchantSummary> {
  const source = merchants.listOf(account);
  const { index } = source;
  const numbers = search.split(/\s+/).filter((word) => /\d/.test(word) && word.length <= 32);
  if (!index || numbers.length === 0) return source;
  const readOwners = readOnce(() => mids.ownersOf(account, numbers.slice(0, mostNumbers)));
  const readMark = async () => {
    const owners = await readOwners();
    return (record: MerchantSummary) => ({ ...record, midNumbers: owners.get(record.id) });
  };
  const readIndex: typeof index.read = async (query, limits) => {
    const [found, owners] = await Promise.all([index.read(query, limits), readOwners()]);
    return found && withOwners(found, [...owners.keys()], limits);
  };
  return { ...source, ...converted({ ...source, index: { ...index, read: readIndex } }, readMark) };
}

/** Adds the owners of MIDs to the candidates of the index. They match if the other words match. */
function withOwners(
  found: Candidates,
  owners: readonly number[],
  { before = '', from = '' }: { before?: string; from?: string },
): Candidates {
  const known = new Set(found.found.map(({ id }) => id));
  const added = owners
    .filter((id) => !known.has(id))
    .map((id) => ({ id, position: digits(id), rank: 0 }))
    .filter(({ position }) => (before === '' || position < before) && position >= from)
    .filter(({ position }) => found.end === undefined || position >= found.end);
  const all = [...added, ...found.found];
  return { ...found, found: found.order === 'position' ? all.sort(newestFirst) : all };
}
