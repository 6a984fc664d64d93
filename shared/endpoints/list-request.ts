import { defaultCountry } from '../accounts/schema.ts';
import { invalid } from '../errors.ts';
import { isInLog } from '../events/log.ts';
import type { AccountId } from '../id/account-id.ts';
import { type IndexedFields, searchRank, searchTermsOf, unbuiltParts } from '../search/indexed-fields.ts';
import { type SearchWord, searchWordsOf } from '../search/search-words.ts';
import { isReached, type ReachTerm } from '../security/reach.ts';
import { canApply, type FieldValues, type IndexQuery } from '../table/read-index.ts';
import { type CreatedRange, createdIn, positionsCreatedIn } from './created-range.ts';
import { isOfChanges, positionIn } from './cursor.ts';
import type { Filter, ListedAccount } from './list-filters.ts';
import { type ChangesSince, changedAfter, mentions, type View } from './list-view.ts';
import { reachFilter } from './reached-records.ts';

/** The query of a list. */
export interface ListQuery extends CreatedRange {
  page: number;
  pageSize: number;
  cursor?: string;
  updatedAfter?: string;
  sort?: string;
  search?: string;
  [filter: string]: unknown;
}

/** The parts of a list's declaration that determine how it answers a request. `S` is the type of a stored record. */
export interface List<S> {
  filters: Readonly<Record<string, Filter<S>>>;
  sorts: readonly string[];
  /** For each sortable field with an enum, the values in the order of its schema. */
  ranks: Readonly<Record<string, readonly string[]>>;
  /** For a list without a search index: the fields that `search` covers. */
  searched: readonly string[];
  /** For a list with a search index: its fields. */
  indexedFields?: IndexedFields<S>;
  /** The field with the creation time, by which lists are sorted if the query has no `sort`. */
  timeField: string;
  shortList?: { order: readonly string[] };
  /** The filters that an index of the table applies. */
  indexed: readonly string[];
  partitions(tableFilters: FilterValues): number;
}

/** The parts of a request that determine its view besides the query. The account is absent before authentication. */
export interface ListContext {
  now: Date;
  account?: AccountId;
  accountRecord?: ListedAccount;
  /** Present if the caller reaches only some of the records. */
  reach?: readonly ReachTerm[];
  /** True if some records are hidden from the caller with their parents; see `readShown`. */
  hidesSome?: boolean;
}

/** For each query parameter that is a filter: its distinct values. */
export type FilterValues = Readonly<Record<string, readonly unknown[] | undefined>>;

/** The maximum number of partitions to read in parallel. If more are needed, filters are applied in memory. */
const mostPartitions = 60;

/**
 * Returns the query's filters that an index of the table can apply. Returns no filters if the index would read too many
 * partitions.
 */
export function possibleTableFilters<S>({ indexed, partitions }: List<S>, query: ListQuery): FilterValues {
  const sent = indexed.filter((name) => query[name] !== undefined);
  const tableFilters = Object.fromEntries(sent.map((name) => [name, [...new Set([query[name]].flat())]]));
  // A record that moves to another partition during the read may be found in neither of the two partitions. A
  // list with a cursor must not skip records, so it reads only one partition.
  const most = query.cursor === undefined ? mostPartitions : 1;
  return partitions(tableFilters) > most ? {} : tableFilters;
}

/** Returns the filters that the indexes of the table apply. The search index applies all filters of a request, or none. */
export const tableFiltersOf = <S>(
  list: List<S>,
  query: ListQuery,
  { reach, hidesSome }: Pick<ListContext, 'reach' | 'hidesSome'>,
): FilterValues =>
  hidesSome || (list.indexedFields && (reach || !isPlain(list, query)))
    ? {}
    : possibleTableFilters(list, query);

/**
 * Reports whether the table alone provides the requested view: in the order of creation, without a search, and with no
 * filters except those that an index of the table can apply.
 */
export function isPlain<S>(list: List<S>, { page, pageSize, sort, search, ...rest }: ListQuery): boolean {
  const tableFilters = possibleTableFilters(list, { page, pageSize, ...rest });
  const appliesAll = Object.keys(rest).every((name) => name === 'cursor' || name in tableFilters);
  return !list.shortList && !search && (isNewestFirst(list, sort) || isOldestFirst(list, sort)) && appliesAll;
}

const isNewestFirst = <S>({ timeField }: List<S>, sort: string | undefined): boolean =>
  sort === undefined || sort === `-${timeField}`;

const isOldestFirst = <S>({ timeField }: List<S>, sort: string | undefined): boolean => sort === timeField;

/** Reports whether a request reads few enough records to run in parallel with authentication. */
export const isSmall = <S>(list: List<S>, query: ListQuery): boolean =>
  list.shortList !== undefined || (isPlain(list, query) && query.page * query.pageSize <= 1000);

/** Reports whether the cost of a request does not depend on the length of the list. */
export const isCheap = <S>(list: List<S>, query: ListQuery): boolean =>
  list.shortList !== undefined ||
  query.cursor !== undefined ||
  isPlain(list, query) ||
  isAppliedBySource(list, query) ||
  (query.sort === undefined && isIndexed(list, indexQueryOf(list, query))) ||
  isRanked(list, query);

/** Reports whether the search index can apply a part of the request. */
const isIndexed = <S>({ indexedFields }: List<S>, indexQuery: IndexQuery): boolean =>
  indexedFields !== undefined && canApply(indexedFields, indexQuery);

/** Reports whether a request only sorts by a field with a fixed list of values, which the search index contains. */
function isRanked<S>(
  { indexedFields, ranks }: List<S>,
  { page, pageSize, sort = '', ...rest }: ListQuery,
): boolean {
  const field = sort.replace(/^-/, '');
  const indexed: readonly string[] = indexedFields?.values ?? [];
  return field in ranks && indexed.includes(field) && Object.keys(rest).length === 0;
}

/** Reports whether the source finds the few records that match a filter of the request. */
const isAppliedBySource = <S>({ filters }: List<S>, query: ListQuery): boolean =>
  Object.entries(filters).some(([name, filter]) => filter.isAppliedBySource && query[name] !== undefined);

/** Returns the parts of a request that the search index may apply. */
function indexQueryOf<S>(
  { filters, indexedFields }: List<S>,
  { search = '', updatedAfter, createdFrom, createdTo, ...query }: ListQuery,
  { accountRecord: account, reach }: Pick<ListContext, 'accountRecord' | 'reach'> = {},
): IndexQuery {
  const found = {
    words:
      indexedFields?.wordsOf?.(search) ??
      searchWordsOf(search, account && (account.country ?? defaultCountry)),
    filters: [
      ...(reach ? [reachFilter(reach)] : []),
      ...Object.entries(filters).flatMap(([name, { timeField, indexedValues }]): FieldValues[] => {
        const value = query[name];
        if (value === undefined) return [];
        if (timeField) return [{ field: timeField, before: String(value) }];
        return [{ field: name, values: indexedValues ? indexedValues(value) : [value].flat() }];
      }),
      ...(updatedAfter === undefined ? [] : [{ field: 'updatedAfter' }]),
    ],
    ...(account && indexedFields && { unbuilt: unbuiltParts(indexedFields, account) }),
  };
  if (!indexedFields?.always || (createdFrom ?? createdTo) === undefined || canApply(indexedFields, found))
    return found;
  return { ...found, filters: [indexedFields.always, ...found.filters] };
}

/** Returns the view of a list that a request asks for. Throws `invalid_input`. */
export function requestedView<S>(list: List<S>, query: ListQuery, context: ListContext): View<S> {
  const { page, pageSize, search = '', updatedAfter } = query;
  const { indexedFields } = list;
  const { reach } = context;
  const tableFilters = tableFiltersOf(list, query, context);
  const indexQuery = indexQueryOf(list, query, context);
  const { words } = indexQuery;
  const changes = changesIn(list, query, context);
  return {
    page,
    pageSize,
    ...indexQuery,
    ...placeIn(list, query, changes),
    reach,
    isPlain: !reach && isPlain(list, query),
    oldestFirst: isOldestFirst(list, query.sort),
    isRanked: !reach && isRanked(list, query),
    lastChanged: lastChangedIn(list, query, context),
    isIndexed: isIndexed(list, indexQuery),
    ...(indexedFields &&
      words.length > 0 && { rankOf: (record: S) => searchRank(words, searchTermsOf(indexedFields, record)) }),
    conditions: [
      ...(reach ? [(record: S) => isReached(reach, record as object)] : []),
      ...(updatedAfter === undefined ? [] : [changedAfter(updatedAfter)]),
      ...createdIn(query),
      ...(search.trim() === '' ? [] : [searchCondition(list, words)]),
      ...Object.entries(list.filters).flatMap(([name, filter]) =>
        query[name] === undefined || name in tableFilters
          ? []
          : [filter.conditionOf(query[name], context.now)],
      ),
    ],
    created: positionsCreatedIn(query),
    changes,
  };
}

/** Returns the order of a view, or the position in its cursor. Throws `invalid_input`. */
function placeIn<S>(
  list: List<S>,
  { page, sort, cursor }: ListQuery,
  changes: ChangesSince | undefined,
): Pick<View<S>, 'order' | 'before'> {
  if (cursor !== undefined) {
    if (page > 1) throw invalid('page', 'must be omitted if the request has a cursor');
    if (!isNewestFirst(list, sort))
      throw invalid('sort', `must be omitted or -${list.timeField} if the request has a cursor`);
    return { order: [], before: positionIn(cursor, changes ? 'changes' : 'list') };
  }
  const short = list.shortList && [...list.shortList.order, 'id'];
  const order =
    sort === undefined ? (short ?? []).map((field) => ({ field, descending: false })) : readOrder(list, sort);
  return { order: order as View<S>['order'] };
}

/** Returns the condition of a search. A text without letters and digits matches no record. */
function searchCondition<S>(
  { indexedFields, searched }: List<S>,
  words: readonly SearchWord[],
): (record: S) => boolean {
  if (words.length === 0) return () => false;
  if (!indexedFields) return mentions<S>(searched as (keyof S)[], words);
  return (record) => searchRank(words, searchTermsOf(indexedFields, record)) !== undefined;
}

/** Returns the changes that a request with `updatedAfter` finds in the event log. A walk that began there continues there. */
function changesIn<S>(
  list: List<S>,
  query: ListQuery,
  { now, account, reach, hidesSome }: ListContext,
): ChangesSince | undefined {
  const type = list.indexedFields?.resource;
  const { updatedAfter: since, cursor = '' } = query;
  // Pages and cursors would depend on the events of records that the caller does not reach.
  if (reach || hidesSome || !account || !type || since === undefined || isAppliedBySource(list, query))
    return undefined;
  if (!isInLog(since, now) && !isOfChanges(cursor)) return undefined;
  return { account, type, since };
}

/** Returns the records that a request only sorts by their last changes, newest first. Undefined for other requests. */
function lastChangedIn<S>(
  { indexedFields }: List<S>,
  { page, pageSize, ...rest }: ListQuery,
  { account, reach, hidesSome }: ListContext,
): View<S>['lastChanged'] {
  const type = indexedFields?.resource;
  const isOnlySorted = rest.sort === '-updatedAt' && Object.keys(rest).length === 1;
  return isOnlySorted && type && account && !reach && !hidesSome ? { account, type } : undefined;
}

const readOrder = <S>({ sorts, ranks }: List<S>, sort: string) =>
  sort.split(',').map((part) => {
    const field = part.replace(/^-/, '');
    if (!sorts.includes(field))
      throw invalid('sort', `must be a comma-separated list of ${sorts.join(', ')}`);
    return { field, descending: part.startsWith('-'), ranks: ranks[field] };
  });
