import { filterBy } from '../../endpoints/list-filters.ts';
import type { AccountId } from '../../id/account-id.ts';
import { array, string } from '../../schema.ts';
import { isReached, type Reach } from '../../security/reach.ts';
import { digits } from '../../table/keys.ts';
import { converted, type ListSource, readOnce, shortListSource } from '../../table/list-source.ts';
import { type Candidates, newestFirst } from '../../table/read-index.ts';
import { mids } from '../mids/store.ts';
import { filledUp } from './shown-mids.ts';
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

/** Returns the merchants that have MIDs with these numbers and that the caller reaches, newest first. */
export const merchantsWithMids = (
  account: AccountId,
  numbers: readonly string[],
  reach: Reach = 'all',
): ListSource<MerchantSummary> =>
  shortListSource(async () => {
    const owners = await mids.ownersOf(account, numbers);
    return readOwners(account, owners.keys(), reach, numbers.length);
  });

/** Reads the owners of MIDs that the caller reaches, newest first. `wanted` is the number of MIDs that were looked up. */
async function readOwners(
  account: AccountId,
  owners: Iterable<number>,
  reach: Reach,
  wanted: number,
): Promise<MerchantSummary[]> {
  const ids = reach === 'all' ? [...owners] : filledUp(owners, wanted);
  const found = (await merchants.listOf(account).index?.load(ids)) ?? [];
  return found
    .filter((owner) => owner !== undefined)
    .sort(newestFirst)
    .map(({ record }) => record)
    .filter((record) => isReached(reach, record));
}

/**
 * Returns the merchants of an account. A search also finds them by the whole numbers of their MIDs, which the search index
 * does not contain. A MID of a merchant that the caller does not reach is treated as unknown.
 */
export function searchedMerchants(
  account: AccountId,
  search = '',
  reach: Reach = 'all',
): ListSource<MerchantSummary> {
  const source = merchants.listOf(account);
  const { index } = source;
  const numbers = search
    .split(/\s+/)
    .filter((word) => /\d/.test(word) && word.length <= 32)
    .slice(0, mostNumbers);
  if (!index || numbers.length === 0) return source;
  const readNumbers = readOnce(() => mids.ownersOf(account, numbers));
  const readReached = readOnce(async () => {
    const owners = (await readNumbers()).keys();
    if (reach === 'all') return [...owners];
    return (await readOwners(account, owners, reach, numbers.length)).map(({ id }) => id);
  });
  const readMark = async () => {
    const owners = await readNumbers();
    return (record: MerchantSummary) => ({ ...record, midNumbers: owners.get(record.id) });
  };
  const readIndex: typeof index.read = async (query, limits) => {
    // Without words, the query finds all merchants that a caller with a limited permission reaches.
    if (query.words.length === 0) return index.read(query, limits);
    const [found, owners] = await Promise.all([index.read(query, limits), readReached()]);
    return found && withOwners(found, owners, limits);
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
