import {
  type FieldUses,
  type IndexedFields,
  indexedFields,
  searchRank,
  searchTermsOf,
} from '../search/indexed-fields.ts';
import type { SearchWord } from '../search/search-words.ts';
import { isReached, type Reach } from '../security/reach.ts';
import type { ListSource } from '../table/list-source.ts';
import { byRank, loader, loadUntil } from './found-records.ts';
import { reachFilter, readReached } from './reached-records.ts';

/** The most records of one type that are returned. */
const mostMatches = 5;
/**
 * The number of index items that are read for one record type: about one read unit for one word, and two for several. More
 * are read if the caller reaches too many records to compare all of them.
 */
const indexItems = { forOneWord: 75, forSeveral: 150, forLargeReach: 10_000 };
/** One candidate more than returned is read, because a record may have changed after its index items. */
const readCandidates = mostMatches + 1;

/**
 * Returns the records of one type that match a search best, at most five: whole words before beginnings, names before
 * texts, then newest. Every returned record matches. Reads the index once, and then the best candidates.
 *
 * `reach` limits the search to the records that the caller reaches. `keep` leaves out the records that are hidden from the
 * caller with their parents.
 *
 * If each word of a search has more than about 75 matches, a record that matches all words may be missing. The list of
 * the type finds it.
 */
export async function bestMatches<R, S>(
  source: ListSource<R, S>,
  fields: IndexedFields<S>,
  words: readonly SearchWord[],
  reach: Reach = 'all',
  keep?: (records: NoInfer<S>[]) => Promise<NoInfer<S>[]>,
): Promise<R[]> {
  return bestOf(await candidatesOf(source, fields, words, reach, keep), source, fields, words);
}

/**
 * Returns the best matches of a list without a search index, at most five: whole words before beginnings, then in the order
 * of the list. Compares `limit` records at most.
 */
export async function bestOfNewest<R, S>(
  source: Newest<R, S>,
  fields: FieldUses<keyof S & string>,
  words: readonly SearchWord[],
  limit: number,
): Promise<R[]> {
  if (words.length === 0) return [];
  const { items } = await source.newest({ limit });
  return bestOf(items, source, indexedFields<S>({ fields }), words);
}

/** The parts of a list that `bestOfNewest` needs. */
type Newest<R, S> = Pick<ListSource<R, S>, 'newest' | 'show'>;

async function bestOf<R, S>(
  candidates: readonly S[],
  source: Pick<ListSource<R, S>, 'show'>,
  fields: IndexedFields<S>,
  words: readonly SearchWord[],
): Promise<R[]> {
  const matches = candidates.flatMap((record) => {
    const rank = searchRank(words, searchTermsOf(fields, record));
    return rank === undefined ? [] : [{ record, rank }];
  });
  const best = matches.toSorted((one, other) => one.rank - other.rank).slice(0, mostMatches);
  return source.show(best.map(({ record }) => record));
}

async function candidatesOf<R, S>(
  { index }: ListSource<R, S>,
  fields: IndexedFields<S>,
  words: readonly SearchWord[],
  reach: Reach,
  keep?: (records: S[]) => Promise<S[]>,
): Promise<S[]> {
  if (!index || words.length === 0) return [];
  const isOwn = (record: S) => isReached(reach, record as object);
  const all = reach === 'all' ? undefined : await readReached(index, reach, { matches: isOwn });
  if (all) return all.map(({ record }) => record);
  const matches = (record: S) =>
    isOwn(record) && searchRank(words, searchTermsOf(fields, record)) !== undefined;
  const isLimited = reach !== 'all' || keep !== undefined;
  const limit = isLimited
    ? indexItems.forLargeReach
    : words.length === 1
      ? indexItems.forOneWord
      : indexItems.forSeveral;
  const found = await index.read({ words, filters: reach === 'all' ? [] : [reachFilter(reach)] }, { limit });
  const best = (found?.found ?? [])
    .toSorted(byRank(found?.order === 'position'))
    .map((one) => ({ ...one, isSure: false }));
  const load = loader(index, matches);
  const loadKept: typeof load = async (unread) => {
    const read = await load(unread);
    const kept = keep && new Set(await keep(read.map(({ record }) => record)));
    return kept ? read.filter(({ record }) => kept.has(record)) : read;
  };
  const loaded = isLimited
    ? (await loadUntil(best, readCandidates, loadKept)).matches
    : await loader<S>(index, () => true)(best.slice(0, readCandidates));
  return loaded.map(({ record }) => record);
}
