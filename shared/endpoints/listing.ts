import { defaultCountry, type StoredAccount } from '../accounts/schema.ts';
import { invalid } from '../errors.ts';
import { isInLog } from '../events/log.ts';
import type { AccountId } from '../id/account-id.ts';
import { asUniqueId, type UniquePrefix } from '../id/unique-id.ts';
import {
  array,
  dateTime,
  object,
  optional,
  type Static,
  string,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  uniqueId,
  unsafe,
} from '../schema.ts';
import { unbuiltParts } from '../search/index-additions.ts';
import { type IndexedFields, searchRank, searchTermsOf } from '../search/indexed-fields.ts';
import { type SearchWord, searchWordsOf } from '../search/search-words.ts';
import type { SignedIn } from '../security/principal.ts';
import type { ListSource } from '../table/list-source.ts';
import { canApply, canProve, type FieldValues, type IndexQuery } from '../table/read-index.ts';
import type { Access, Admission, Contract } from './contract.ts';
import { countNewest, type MatchCount } from './count-view.ts';
import { type CreatedRange, createdIn, createdParameters, positionsCreatedIn } from './created-range.ts';
import { isOfChanges, positionIn } from './cursor.ts';
import type { Counting, Endpoint, ListResponse, Request, RequestInput } from './endpoint.ts';
import {
  type ChangesSince,
  changedAfter,
  isAnyOf,
  type ListResult,
  mentions,
  type Page,
  type View,
} from './list-view.ts';
import { pageFields, pageParameters } from './page-schema.ts';
import { countFound } from './read-found.ts';
import { readView } from './read-view.ts';
import { type References, referencesIn, requireReferenced, unknownReferences } from './references.ts';

/** The rate limit counts a request with a filter, search or sort as this many calls, because it reads many records. */
export const weightOfWindow = 10;

/**
 * A filter that does more than compare a field with the parameter's values. `S` is the type of the stored
 * record.
 */
interface Filter<S> {
  schema: TSchema;
  conditionOf(value: unknown, now: Date): (record: S) => boolean;
  /**
   * Returns the values of the field that match, for the search index. Undefined if the index cannot apply the value.
   * Default: the value.
   */
  indexedValues?(value: unknown): readonly unknown[] | undefined;
  /** For a filter by a time: the field in `IndexedFields.times`. */
  timeField?: string;
  /** True if the source itself finds the few records that match. */
  isAppliedBySource?: true;
  /**
   * Replaces values such as `me`, and values that depend on the account. Returns undefined if such a value is sent, and the
   * caller or the account is not known yet.
   */
  forCaller?(value: unknown, principal: SignedIn | undefined, account: ListedAccount | undefined): unknown;
}

/** Declares a filter by the schema of its parameter and a function that selects the matching records. */
export const filterBy = <S, V extends TSchema>(
  schema: V,
  matches: (record: S, value: Static<V>, now: Date) => boolean,
  indexedValues?: (value: Static<V>) => readonly unknown[] | undefined,
): Filter<S> => ({
  schema,
  ...(indexedValues && { indexedValues: (value) => indexedValues(value as Static<V>) }),
  // `value` was validated by the schema.
  conditionOf: (value, now) => (record) => matches(record, value as Static<V>, now),
});

/** Declares a filter of a reference field. Its parameter accepts ids and uniqueIds of the referenced records. */
export const filterByReference = <F extends string>(
  prefix: UniquePrefix,
  field: F,
  schema = array(uniqueId(prefix)),
) =>
  filterBy(
    schema,
    (record: { readonly [K in F]?: string }, references) => {
      const named = record[field];
      return named !== undefined && references.some((reference) => asUniqueId(prefix, reference) === named);
    },
    (references) => references.flatMap((reference) => asUniqueId(prefix, reference) ?? []),
  );

/** Declares a filter that finds the records whose time is before the parameter's value. */
export const filterByTime = <S>(
  { times = {} }: IndexedFields<S>,
  timeField: string,
  description: string,
): Filter<S> => ({
  ...filterBy(dateTime({ description }), (record: S, before) => {
    const time = times[timeField]?.(record);
    return time !== undefined && time < before;
  }),
  timeField,
});

/** The options of a list, without path and summary. The list's records may have any fields. */
type ListOptions<S> = Omit<ListingTerms<TProperties, S, TSchema>, 'path' | 'summary'>;

/** For each query parameter that is a filter: its distinct values. */
type FilterValues = Readonly<Record<string, readonly unknown[] | undefined>>;

interface ListingTerms<P extends TProperties, S, K extends TSchema> extends Pick<Contract, 'rights'> {
  path: string;
  params?: K;
  summary: string;
  description?: string;
  item: TObject<P>;
  /** Fields with an equality filter of the same name. A repeated parameter matches any of its values. */
  filters: readonly (keyof P & string)[];
  sorts: readonly (keyof P & string)[];
  searchable?: readonly (keyof P & string)[];
  /** For lists with a search index: its fields. `search` then covers its names and texts. */
  indexedFields?: IndexedFields<S>;
  /** The field with the creation time, by which lists are sorted if the query has no `sort`. Default `createdAt`. */
  timeField?: keyof P & string;
  /**
   * Set for a list whose length is limited by a quota. Each request reads the whole list and sorts the records by
   * the fields in `order`. The rate limit counts the request as one call.
   */
  shortList?: { order: readonly (keyof P & string)[] };
  customFilters?: Record<string, Filter<S>>;
  /** The filters by the id of another record. An id that is malformed, or unknown and without matches, is rejected. */
  references?: References;
  /** Filters that an index can apply. Their values are passed to the source, which returns only matching records. */
  indexed?: readonly (keyof P & string)[];
  /** Returns the number of index partitions to read for these values. Default: the number of combinations of values. */
  partitions?(indexFilters: IndexFilters<P>): number;
}

/** For each `indexed` filter in the request: its distinct values. */
type IndexFilters<P extends TProperties> = {
  readonly [K in keyof Static<TObject<P>>]?: readonly NonNullable<Static<TObject<P>>[K]>[];
};

/** The maximum number of partitions to read in parallel. If more are needed, filters are applied in memory. */
const mostPartitions = 60;

export type ListingContract<P extends TProperties, S, A extends Access, K extends TSchema> = ListingTerms<
  P,
  S,
  K
> &
  Admission & { access?: A };

/**
 * Returns the source of a list. The source yields the stored records (type `S`) that match the index filters.
 */
type From<P extends TProperties, S, A extends Access, K extends TSchema> = (
  input: ListInput<A, K>,
  indexFilters: IndexFilters<P>,
) => ListSource<Static<TObject<P>>, S>;

interface ListQuery {
  page: number;
  pageSize: number;
  cursor?: string;
  updatedAfter?: string;
  createdFrom?: string;
  createdTo?: string;
  sort?: string;
  search?: string;
  [filter: string]: unknown;
}

type ListInput<A extends Access, K extends TSchema> = RequestInput<{
  params: K;
  query: TUnsafe<ListQuery>;
  access: A;
}>;

type ListEndpoint<R, A extends Access, K extends TSchema, L = unknown> = Endpoint<
  { params: K; query: TUnsafe<ListQuery>; response: TUnsafe<R>; access: A },
  L
>;

/**
 * Declares the endpoint of a list, newest first. The response is `{data, totalCount, totalPages,
 * currentPage}`. A request without search, sort and filters reads only the records up to the end of its page, so
 * its cost does not depend on the size of the list. The same is true if an index can apply all filters. Other
 * requests read a window of the newest records. The rate limit counts each of these requests as ten calls,
 * unless it has a cursor or the list is a `shortList`. If the window does not contain all records, the header
 * `x-list-window` contains the window's size.
 */
export const listing = <P extends TProperties, S, A extends Access = 'account', K extends TSchema = TSchema>(
  contract: ListingContract<P, S, A, K>,
  from: From<P, S, A, K>,
): ListEndpoint<Page<Static<TObject<P>>>, A, K> & Counting =>
  listEndpoint(contract, from, pageSchemaOf(contract), (response) => ({ response }));

/** Declares the endpoint of a list. `show` adapts each record to the caller. */
export const listingPerViewer = <P extends TProperties, S, K extends TSchema = TSchema>(
  contract: ListingContract<P, S, 'account', K>,
  from: From<P, S, 'account', K>,
  show: (record: Static<TObject<P>>, principal: SignedIn) => Static<TObject<P>>,
): ListEndpoint<Page<Static<TObject<P>>>, 'account', K> & Counting =>
  listEndpoint(contract, from, pageSchemaOf(contract), (page, { principal }) => ({
    response: { ...page, data: page.data.map((record) => show(record, principal)) },
  }));

/** Like `listingPerViewer`, for a list whose response is a plain array. The totals are in headers. */
export const arrayListingPerViewer = <P extends TProperties, S>(
  contract: ListingContract<P, S, 'account', TSchema>,
  from: From<P, S, 'account', TSchema>,
  show: (record: Static<TObject<P>>, principal: SignedIn) => Static<TObject<P>>,
): ListEndpoint<Static<TObject<P>>[], 'account', TSchema> =>
  listEndpoint(contract, from, arraySchema(contract.item), (page, { principal }) => ({
    response: page.data.map((record) => show(record, principal)),
    headers: {
      'x-total-count': String(page.totalCount),
      'x-total-pages': String(page.totalPages),
      'x-current-page': String(page.currentPage),
      ...(page.nextCursor && { 'x-next-cursor': page.nextCursor }),
    },
  }));

/**
 * Declares the endpoint of a list that depends on the caller, such as the caller's own records. Nothing is read before
 * authentication. `fieldsOf` returns the values of `extraFields`, which are added to the page.
 */
export function listingForPrincipal<P extends TProperties, S, M extends TProperties>(
  { extraFields, ...contract }: ListingContract<P, S, 'account', TSchema> & { extraFields: M },
  from: (request: PrincipalsRequest) => ListSource<Static<TObject<P>>, S>,
  fieldsOf: (request: PrincipalsRequest) => Static<TObject<M>>,
): ListEndpoint<Page<Static<TObject<P>>> & Static<TObject<M>>, 'account', TSchema> {
  const response = unsafe<Page<Static<TObject<P>>> & Static<TObject<M>>>({
    ...object({ ...pageFields(contract.item, false), ...extraFields }),
  });
  const { terms, readList } = listOf(contract, response);
  return {
    ...terms,
    async decide(request) {
      const { page, window } = await readList(from(request), request);
      return { response: { ...page, ...fieldsOf(request) }, headers: windowHeader(window) };
    },
  };
}

type PrincipalsRequest = Request<{ query: TUnsafe<ListQuery> }>;

function listEndpoint<P extends TProperties, S, A extends Access, K extends TSchema, R>(
  contract: ListingContract<P, S, A, K>,
  from: From<P, S, A, K>,
  response: TUnsafe<R>,
  responseOf: (page: Page<Static<TObject<P>>>, request: { principal: SignedIn }) => ListResponse<R>,
): ListEndpoint<R, A, K, ListResult<Static<TObject<P>>> | undefined> & Counting {
  const { terms, readList } = listOf(contract, response);
  const readFor = (input: ListInput<A, K>) =>
    readList(from(input, indexFiltersOf(contract, input.query) as IndexFilters<P>), input);
  const queryFor = (
    { ...query }: ListQuery,
    principal?: SignedIn,
    account?: ListedAccount,
  ): ListQuery | undefined => {
    for (const [name, { forCaller }] of Object.entries(contract.customFilters ?? {}))
      if (forCaller && query[name] !== undefined) {
        query[name] = forCaller(query[name], principal, account);
        if (query[name] === undefined) return undefined;
      }
    return query;
  };
  type PageOfList = ListResult<Static<TObject<P>>>;
  const respond = async (request: ListInput<A, K>, early?: PageOfList) => {
    const { principal, account, accountRecord } = request as ListInput<A, K> & {
      principal: SignedIn;
      account: AccountId;
      accountRecord?: ListedAccount;
    };
    const query = queryFor(request.query, principal, accountRecord) ?? request.query;
    const { page, window } = early ?? (await readFor({ ...request, query }));
    const { response, headers } = responseOf(page, { principal });
    const isEmpty = page.totalCount === 0 && !page.totalIsLowerBound;
    return {
      response,
      headers: { ...headers, ...windowHeader(window) },
      unknown:
        contract.references && isEmpty ? await unknownReferences(contract.references, account, query) : [],
    };
  };
  return {
    ...terms,
    read: async (input) =>
      isSmall(contract, input.query) && queryFor(input.query) ? readFor(input) : undefined,
    decide: async (request, early) => {
      const { unknown, ...response } = await respond(request, early);
      requireReferenced(unknown);
      return response;
    },
    page: (request) => respond(request as Request<{ query: TUnsafe<ListQuery> }> & ListInput<A, K>),
    count: async (request) => {
      const input = request as Request<{ query: TUnsafe<ListQuery> }> & ListInput<A, K>;
      const query = queryFor(input.query, input.principal, input.accountRecord) ?? input.query;
      return countMatches(contract, terms.contract.ranks, from, { ...input, query });
    },
  };
}

/**
 * Counts the records that match a request, in one round trip, or two with the filters `mid` and `ticketNumber`. The first
 * of these ways that applies is used:
 *
 * 1. If an index of the table finds exactly the matches, the totals of the table are the count.
 * 2. If such an index applies some of the filters, the newest records in its partitions are compared.
 * 3. If the search index shows by itself which records match, its items are counted.
 * 4. The newest records of the list are compared.
 */
async function countMatches<P extends TProperties, S, A extends Access, K extends TSchema>(
  contract: ListingContract<P, S, A, K>,
  ranks: Record<string, readonly string[]>,
  from: From<P, S, A, K>,
  input: ListInput<A, K>,
): Promise<MatchCount> {
  const { sort, ...query } = input.query;
  const view = viewFrom(contract, ranks, input.query, input as ListContext);
  const indexFilters = possibleIndexFilters(contract, query);
  const sourceFor = (filters: FilterValues) =>
    from({ ...input, query: { ...query, ...filters } }, filters as IndexFilters<P>);
  if (isPlain(contract, query)) return { count: await sourceFor(indexFilters).total(), isExact: true };
  if (Object.keys(indexFilters).length > 0)
    return countNewest(partitionsIn(indexFilters).map(sourceFor), view);
  const source = sourceFor({});
  const isProvable = contract.indexedFields && canProve(contract.indexedFields, view);
  return (isProvable && (await countFound(source, view))) || countNewest([source], view);
}

/** Returns each combination of one value for each filter. */
const partitionsIn = (indexFilters: FilterValues): FilterValues[] =>
  Object.entries(indexFilters).reduce<FilterValues[]>(
    (found, [name, values = []]) =>
      found.flatMap((one) => values.map((value) => ({ ...one, [name]: [value] }))),
    [{}],
  );

/** Returns the common parts of all list endpoints: the contract, and the function that reads a page. */
function listOf<P extends TProperties, S, A extends Access, K extends TSchema, R>(
  contract: ListingContract<P, S, A, K>,
  response: TUnsafe<R>,
) {
  const {
    item,
    filters,
    sorts,
    searchable,
    indexedFields,
    customFilters,
    references = {},
    timeField,
    shortList,
    indexed,
    partitions,
    ...rest
  } = contract;
  const ranks = ranksOf(contract);
  const terms = {
    contract: {
      ...rest,
      method: 'GET' as const,
      query: querySchema(contract),
      response,
      errors: ['page_too_deep', 'page_too_large'] as const,
      readsMany: true as const,
      ranks,
      weigh: (query: ListQuery) =>
        shortList ||
        query.cursor !== undefined ||
        isPlain(contract, query) ||
        isFound(contract, query) ||
        isRanked(contract, ranks, query)
          ? 1
          : weightOfWindow,
    },
  };
  const readList = (
    source: ListSource<Static<TObject<P>>, S>,
    {
      query,
      now,
      deadline,
      account,
      accountRecord,
    }: Pick<PrincipalsRequest, 'query' | 'now' | 'deadline'> & ListContext,
  ) => {
    referencesIn(references, query);
    const how = { plain: isPlain(contract, query), deadline };
    const view = viewFrom(contract, ranks, query, { now, account, accountRecord });
    return readView<Static<TObject<P>>, S>(source, view, how);
  };
  return { terms, readList };
}

/** The parts of a request that determine its view besides the query. The account is absent before authentication. */
interface ListContext {
  now: Date;
  account?: AccountId;
  accountRecord?: ListedAccount;
}

/** The settings of the account on which its lists depend. */
export type ListedAccount = Pick<StoredAccount, 'country' | 'indexedAdditions' | 'timezone'>;

const windowHeader = (window: number | undefined): Record<string, string> =>
  window === undefined ? {} : { 'x-list-window': String(window) };

/** For each sortable field with an enum, the values in the order of its schema. */
const ranksOf = <S>({ item, sorts }: ListOptions<S>): Record<string, readonly string[]> =>
  Object.fromEntries(
    sorts.flatMap((field) => {
      const { enum: values } = (item.properties[field] ?? {}) as { enum?: unknown[] };
      return values ? [[field, values.filter((value) => typeof value === 'string')]] : [];
    }),
  );

/** Returns the filters that the indexes of the table apply. The search index applies all filters of a request, or none. */
const indexFiltersOf = <S>(options: ListOptions<S>, query: ListQuery): FilterValues =>
  options.indexedFields && !isPlain(options, query) ? {} : possibleIndexFilters(options, query);

/**
 * Returns the query's filters that an index of the table can apply. Returns no filters if the index would read too many
 * partitions.
 */
function possibleIndexFilters<S>(
  { indexed = [], partitions = combinations }: ListOptions<S>,
  query: ListQuery,
): FilterValues {
  const sent = indexed.filter((name) => query[name] !== undefined);
  const indexFilters = Object.fromEntries(
    sent.map((name) => [name, [...new Set([query[name]].flat() as NonNullable<unknown>[])]]),
  );
  // A record that moves to another partition during the read may be found in neither of the two partitions. A
  // list with a cursor must not skip records, so it reads only one partition.
  const most = query.cursor === undefined ? mostPartitions : 1;
  return partitions(indexFilters) > most ? {} : indexFilters;
}

const combinations = (indexFilters: FilterValues): number =>
  Object.values(indexFilters).reduce((product, values = []) => product * values.length, 1);

const pageSchemaOf = <P extends TProperties>({
  item,
  indexedFields,
}: {
  item: TObject<P>;
  indexedFields?: unknown;
}): TUnsafe<Page<Static<TObject<P>>>> => unsafe({ ...object(pageFields(item, indexedFields !== undefined)) });

const arraySchema = <P extends TProperties>(item: TObject<P>): TUnsafe<Static<TObject<P>>[]> =>
  unsafe({ ...array(item) });

function querySchema<S>({
  item,
  filters,
  sorts,
  customFilters = {},
  ...options
}: ListOptions<S>): TUnsafe<ListQuery> {
  const searchable = searchedFields(options);
  const fields = Object.fromEntries(
    filters.map((field) => [field, optional(array(filterSchema(item.properties[field])))]),
  );
  const query = object({
    ...pageParameters,
    ...('updatedAt' in item.properties && {
      updatedAfter: optional(
        dateTime({
          description: options.indexedFields
            ? 'Only records that changed after this time. With `cursor`, a page contains them in the order of their changes, and a record that changes again is returned again.'
            : 'Only records that changed after this time.',
        }),
      ),
    }),
    ...(options.indexedFields && {
      createdFrom: optional(createdParameters.createdFrom),
      createdTo: optional(createdParameters.createdTo),
    }),
    ...(sorts.length > 0 && {
      sort: optional(
        string({
          description: `Comma-separated: ${sorts.join(', ')}. The prefix - means descending.`,
          'x-sort-fields': sorts,
        }),
      ),
    }),
    ...(searchable.length > 0 && {
      search: optional(
        string({
          maxLength: 200,
          description: `The beginnings of words in ${searchable.join(', ')}. An empty text is ignored.`,
        }),
      ),
    }),
    ...fields,
    ...Object.fromEntries(
      Object.entries(customFilters).map(([name, { schema }]) => [name, optional(schema)]),
    ),
  });
  return unsafe({ ...query });
}

/** Returns the schema of a field's filter: the rules of the value (or of an array's element), without descriptions. */
function filterSchema(schema: TSchema | undefined): TSchema {
  const { type, items } = (schema ?? {}) as { type?: unknown; items?: TSchema };
  if (type === 'array') return filterSchema(items);
  const {
    readOnly,
    default: _,
    description,
    examples,
    ...rules
  } = (schema ?? string()) as Record<string, unknown>;
  return unsafe(rules);
}

/**
 * Reports whether the index alone provides the requested view: newest first, without a search, and with no
 * filters except those that the index can apply.
 */
const isPlain = <S>(
  options: ListOptions<S>,
  { page, pageSize, sort, search, ...rest }: ListQuery,
): boolean => {
  const { timeField = 'createdAt', shortList } = options;
  const indexFilters = possibleIndexFilters(options, { page, pageSize, ...rest });
  const answersAll = Object.keys(rest).every((name) => name === 'cursor' || name in indexFilters);
  return !shortList && !search && (sort === undefined || sort === `-${timeField}`) && answersAll;
};

/** Returns the parts of a request that the search index may apply. */
function indexQueryOf<S>(
  { filters, customFilters = {}, indexedFields }: ListOptions<S>,
  { search = '', updatedAfter, createdFrom, createdTo, ...query }: ListQuery,
  account?: ListedAccount,
): IndexQuery {
  const sent = (name: string, { timeField, indexedValues }: Partial<Filter<S>> = {}): FieldValues[] => {
    const value = query[name];
    if (value === undefined) return [];
    if (timeField) return [{ field: timeField, before: String(value) }];
    return [{ field: name, values: indexedValues ? indexedValues(value) : [value].flat() }];
  };
  const found = {
    words:
      indexedFields?.wordsOf?.(search) ??
      searchWordsOf(search, account && (account.country ?? defaultCountry)),
    filters: [
      ...filters.flatMap((field) => sent(field)),
      ...Object.entries(customFilters).flatMap(([name, filter]) => sent(name, filter)),
      ...(updatedAfter === undefined ? [] : [{ field: 'updatedAfter' }]),
    ],
    ...(account && indexedFields && { unbuilt: unbuiltParts(indexedFields, account) }),
  };
  if (!indexedFields?.always || (createdFrom ?? createdTo) === undefined || canApply(indexedFields, found))
    return found;
  return { ...found, filters: [indexedFields.always, ...found.filters] };
}

/** Reports whether the search index answers a request, at a cost that does not depend on the length of the list. */
const isFound = <S>(options: ListOptions<S>, query: ListQuery): boolean =>
  (options.indexedFields !== undefined &&
    query.sort === undefined &&
    canApply(options.indexedFields, indexQueryOf(options, query))) ||
  isAppliedBySource(options, query);

/** Reports whether a request only sorts by a field with a fixed list of values, which the search index contains. */
const isRanked = <S>(
  { indexedFields }: ListOptions<S>,
  ranks: Record<string, readonly string[]>,
  { page, pageSize, sort = '', ...rest }: ListQuery,
): boolean => {
  const field = sort.replace(/^-/, '');
  const indexed: readonly string[] = indexedFields?.values ?? [];
  return field in ranks && indexed.includes(field) && Object.keys(rest).length === 0;
};

/** Reports whether the source finds the few records that match a filter of the request. */
const isAppliedBySource = <S>({ customFilters = {} }: ListOptions<S>, query: ListQuery): boolean =>
  Object.entries(customFilters).some(
    ([name, filter]) => filter.isAppliedBySource && query[name] !== undefined,
  );

/** Reports whether a request reads few enough records to run in parallel with authentication. */
const isSmall = <S>(options: ListOptions<S>, query: ListQuery): boolean =>
  options.shortList !== undefined || (isPlain(options, query) && query.page * query.pageSize <= 1000);

const searchedFields = <S>({
  searchable = [],
  indexedFields,
}: Pick<ListOptions<S>, 'searchable' | 'indexedFields'>): readonly string[] =>
  indexedFields ? [...indexedFields.names, ...indexedFields.texts] : searchable;

/** Returns the condition of a search. A text without letters and digits matches no record. */
function searchCondition<S>(options: ListOptions<S>, words: readonly SearchWord[]): (record: S) => boolean {
  if (words.length === 0) return () => false;
  const { indexedFields } = options;
  if (!indexedFields) return mentions<S>(searchedFields(options) as (keyof S)[], words);
  return (record) => searchRank(words, searchTermsOf(indexedFields, record)) !== undefined;
}

function viewFrom<S>(
  options: ListOptions<S>,
  ranks: Record<string, readonly string[]>,
  query: ListQuery,
  { now, account, accountRecord }: ListContext,
): View<S> {
  const { filters, sorts, indexedFields, shortList, timeField = 'createdAt', customFilters = {} } = options;
  const { page, pageSize, sort, search = '', cursor, updatedAfter } = query;
  const indexFilters = indexFiltersOf(options, query);
  const remaining = (name: string) => (name in indexFilters ? undefined : query[name]);
  const indexQuery = indexQueryOf(options, query, accountRecord);
  const { words } = indexQuery;
  const indexable = {
    ...indexQuery,
    isRanked: isRanked(options, ranks, query),
    isIndexed: indexedFields !== undefined && canApply(indexedFields, indexQuery),
    ...(indexedFields &&
      words.length > 0 && { rankOf: (record: S) => searchRank(words, searchTermsOf(indexedFields, record)) }),
  };
  const changes = changesIn(options, query, { now, account });
  const conditions: View<S>['conditions'] = [
    ...filters.flatMap((field) =>
      remaining(field) ? [isAnyOf<S>(field as keyof S, remaining(field) as unknown[])] : [],
    ),
    ...(updatedAfter === undefined ? [] : [changedAfter(updatedAfter)]),
    ...createdIn(query as CreatedRange),
    ...(search.trim() === '' ? [] : [searchCondition(options, words)]),
    ...Object.entries(customFilters).flatMap(([name, filter]) =>
      remaining(name) === undefined ? [] : [filter.conditionOf(remaining(name), now)],
    ),
  ];
  const created = positionsCreatedIn(query as CreatedRange);
  if (cursor !== undefined) {
    if (page > 1) throw invalid('page', 'must be omitted if the request has a cursor');
    if (sort !== undefined && sort !== `-${timeField}`)
      throw invalid('sort', `must be omitted or -${timeField} if the request has a cursor`);
    const before = positionIn(cursor, changes ? 'changes' : 'list');
    return { page, pageSize, conditions, order: [], before, created, changes, ...indexable };
  }
  const order =
    sort === undefined && shortList ? ascending([...shortList.order, 'id']) : readOrder(sort, sorts, ranks);
  return { page, pageSize, conditions, order: order as View<S>['order'], created, changes, ...indexable };
}

/** Returns the changes that a request with `updatedAfter` finds in the event log. A walk that began there continues there. */
function changesIn<S>(
  options: ListOptions<S>,
  query: ListQuery,
  { now, account }: ListContext,
): ChangesSince | undefined {
  const type = options.indexedFields?.resource;
  const { updatedAfter: since, cursor = '' } = query;
  if (!account || !type || since === undefined || isAppliedBySource(options, query)) return undefined;
  if (!isInLog(since, now) && !isOfChanges(cursor)) return undefined;
  return { account, type, since };
}

const ascending = (fields: readonly string[]) => fields.map((field) => ({ field, descending: false }));

function readOrder(
  sort: string | undefined,
  sorts: readonly string[],
  ranks: Record<string, readonly string[]>,
): { field: string; descending: boolean; ranks?: readonly string[] }[] {
  if (sort === undefined) return [];
  return sort.split(',').map((part) => {
    const field = part.replace(/^-/, '');
    if (!sorts.includes(field))
      throw invalid('sort', `must be a comma-separated list of ${sorts.join(', ')}`);
    return { field, descending: part.startsWith('-'), ranks: ranks[field] };
  });
}
