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
  unsafe,
} from '../schema.ts';
import { type FieldUses, fieldsWith, type IndexedFields } from '../search/indexed-fields.ts';
import type { SignedIn } from '../security/principal.ts';
import { type Reach, type ReachTerm, reachOf } from '../security/reach.ts';
import type { ListSource } from '../table/list-source.ts';
import type { Admission, Contract } from './contract.ts';
import { countMatches } from './count-list.ts';
import { createdParameters } from './created-range.ts';
import type { Counting, Endpoint, ListResponse, Request, RequestInput } from './endpoint.ts';
import { type Filter, filterByField, type ListedAccount } from './list-filters.ts';
import {
  type FilterValues,
  isCheap,
  isSmall,
  type List,
  type ListContext,
  type ListQuery,
  requestedView,
  tableFiltersOf,
} from './list-request.ts';
import type { ListResult, Page } from './list-view.ts';
import { pageFields, pageParameters } from './page-schema.ts';
import { readList } from './read-list.ts';
import type { HiddenWithParents } from './read-shown.ts';
import { type References, referencesIn, requireReferenced, unknownReferences } from './references.ts';

/** The rate limit counts a request with a filter, search or sort as this many calls, because it reads many records. */
export const weightOfWindow = 10;

type FieldOf<I extends TObject> = keyof Static<I> & string;

/** The declaration of a list. `I` is the schema of a record in the response, and `S` the type of a stored record. */
interface ListTerms<I extends TObject, S, K extends TSchema> extends Pick<Contract, 'rights'> {
  path: string;
  params?: K;
  summary: string;
  description?: string;
  item: I;
  /** The uses of the fields. A repeated parameter of a filter matches any of its values. */
  fields?: FieldUses<FieldOf<I>>;
  /** In place of `fields`, for a list with a search index. */
  indexedFields?: IndexedFields<S>;
  /** The field with the creation time, by which lists are sorted if the query has no `sort`. Default `createdAt`. */
  timeField?: FieldOf<I>;
  /**
   * Set for a list whose length is limited by a quota. Each request reads the whole list and sorts the records by
   * the fields in `order`. The rate limit counts the request as one call.
   */
  shortList?: { order: readonly FieldOf<I>[] };
  /** Filters that do more than compare a field with values. */
  customFilters?: Record<string, Filter<S>>;
  /** The filters by the id of another record. An id that is malformed, or unknown and without matches, is rejected. */
  references?: References;
  /** Filters that an index of the table can apply. The source receives their values and returns only matching records. */
  indexed?: readonly FieldOf<I>[];
  /** Returns the number of index partitions to read for these values. Default: the number of combinations of values. */
  partitions?(tableFilters: TableFilters<I>): number;
  /** Set if records are hidden from callers who do not reach the records that they belong to. */
  parents?: HiddenWithParents<NoInfer<S>>;
  /** Adapts each record to the caller. */
  showTo?(record: Static<I>, principal: SignedIn): Static<I>;
}

export type ListingContract<I extends TObject, S, K extends TSchema> = ListTerms<I, S, K> & Admission;

/** For each filter in the request that an index of the table applies: its distinct values. */
type TableFilters<I extends TObject> = {
  readonly [F in keyof Static<I>]?: readonly NonNullable<Static<I>[F]>[];
};

type ListInput<K extends TSchema> = RequestInput<{ params: K; query: TUnsafe<ListQuery> }>;
/** `reach` contains the records of the list that the caller reaches: `all` also while the caller is not known yet. */
type SourceInput<K extends TSchema> = ListInput<K> & { reach: Reach };
type ListRequest<K extends TSchema> = Request<{ params: K; query: TUnsafe<ListQuery> }>;

/** Returns the source of a list. It yields the stored records that match the filters of the table. */
type From<I extends TObject, S, K extends TSchema> = (
  input: SourceInput<K>,
  tableFilters: TableFilters<I>,
) => ListSource<Static<I>, S>;

type ListEndpoint<R, K extends TSchema = TSchema> = Endpoint<{
  params: K;
  query: TUnsafe<ListQuery>;
  response: TUnsafe<R>;
}> &
  Counting;

/**
 * Declares the endpoint of a list, newest first. The response is `{data, totalCount, totalPages, currentPage}`.
 * `readList` describes the plans that answer a request. The rate limit counts a request whose cost depends on the length
 * of the list as ten calls. If its window does not contain all records, the header `x-list-window` contains its size.
 */
export const listing = <I extends TObject, S, K extends TSchema = TSchema>(
  terms: ListingContract<I, S, K>,
  from: From<I, S, K>,
): ListEndpoint<Page<Static<I>>, K> =>
  listEndpoint(terms, from, pageSchema<I>(terms), (page) => ({ response: page }));

/** Declares the endpoint of a list whose response is a plain array. The totals are in headers. */
export const arrayListing = <I extends TObject, S>(
  terms: ListingContract<I, S, TSchema>,
  from: From<I, S, TSchema>,
): ListEndpoint<Static<I>[]> =>
  listEndpoint(terms, from, unsafe<Static<I>[]>({ ...array(terms.item) }), (page) => ({
    response: page.data,
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
export function listingForPrincipal<I extends TObject, S, M extends TProperties>(
  { extraFields, ...terms }: ListingContract<I, S, TSchema> & { extraFields: M },
  from: (request: ListRequest<TSchema>) => ListSource<Static<I>, S>,
  fieldsOf: (request: ListRequest<TSchema>) => Static<TObject<M>>,
): ListEndpoint<Page<Static<I>> & Static<TObject<M>>> {
  const response = pageSchema<I, Static<TObject<M>>>(terms, extraFields);
  const { read, ...list } = listEndpoint(
    terms as ListingContract<I, S, TSchema>,
    // Without `read`, the source is called only with authenticated requests.
    (input: ListInput<TSchema>) => from(input as ListRequest<TSchema>),
    response,
    (page, request) => ({ response: { ...page, ...fieldsOf(request) } }),
  );
  return list;
}

function listEndpoint<I extends TObject, S, K extends TSchema, R>(
  terms: ListingContract<I, S, K>,
  from: From<I, S, K>,
  response: TUnsafe<R>,
  responseOf: (page: Page<Static<I>>, request: ListRequest<K>) => ListResponse<R>,
): ListEndpoint<R, K> {
  const {
    item,
    indexedFields,
    fields = indexedFields?.fields ?? {},
    timeField = 'createdAt',
    shortList,
    customFilters = {},
    references = {},
    indexed = [],
    partitions = combinations,
    parents,
    showTo,
    ...contract
  } = terms;
  const sorts = fieldsWith(fields, 'sort');
  const list: List<S> = {
    filters: {
      ...Object.fromEntries(
        fieldsWith(fields, 'filter', 'unindexed filter').map((field) => [
          field,
          filterByField<S>(field, item.properties[field]),
        ]),
      ),
      ...customFilters,
    },
    sorts,
    ranks: ranksOf(item, sorts),
    searched: fieldsWith(fields, 'search'),
    indexedFields,
    timeField,
    shortList,
    indexed,
    partitions,
  };
  const ownType = [contract.reach ?? []].flat().find((type) => type === indexedFields?.resource);
  /** Returns the terms of the records that a caller reaches. Undefined if the caller reaches all, or is not known yet. */
  const termsFor = ({ principal }: { principal?: SignedIn }): readonly ReachTerm[] | undefined => {
    const reach = ownType && principal ? reachOf(principal, ownType, 'read') : 'all';
    return reach === 'all' ? undefined : reach;
  };
  const types = [contract.reach ?? []].flat();
  const keepingFor = (request: Partial<ListRequest<K>>) => parents?.keepingFor<S>(types, request);
  const sourceOf = (input: ListInput<K>, query: ListQuery, tableFilters: FilterValues) =>
    from(
      { ...input, query, reach: termsFor(input as Partial<ListRequest<K>>) ?? 'all' },
      tableFilters as TableFilters<I>,
    );
  const readPage = (
    input: ListInput<K>,
    query: ListQuery,
    reach?: readonly ReachTerm[],
  ): Promise<ListResult<Static<I>>> => {
    referencesIn(references, query);
    const keep = keepingFor(input as Partial<ListRequest<K>>);
    const context = { ...(input as ListContext), reach, hidesSome: keep !== undefined };
    const source = sourceOf(input, query, tableFiltersOf(list, query, context));
    const view = requestedView(list, query, context);
    if (!keep || !parents) return readList(source, view, input.deadline);
    const until = (Date.now() + input.deadline) / 2;
    return parents.read(source, view, keep, { until, isOneCall: isCheap(list, query) });
  };
  const respond = async (request: ListRequest<K>, early?: ListResult<Static<I>>) => {
    const { principal, account, accountRecord } = request;
    const query = queryFor(list, request.query, principal, accountRecord) ?? request.query;
    const reach = termsFor(request);
    const { page, window } =
      (!reach && !keepingFor(request) && early) || (await readPage(request, query, reach));
    const data = showTo ? page.data.map((record) => showTo(record, principal)) : page.data;
    const { response, headers } = responseOf({ ...page, data }, request);
    const isEmpty = page.totalCount === 0 && !page.totalIsLowerBound;
    return {
      response,
      headers: { ...headers, ...(window !== undefined && { 'x-list-window': String(window) }) },
      unknown: isEmpty ? await unknownReferences(references, account, query, principal) : [],
    };
  };
  const endpoint: Endpoint<
    { params: K; query: TUnsafe<ListQuery>; response: TUnsafe<R> },
    ListResult<Static<I>> | undefined
  > &
    Counting = {
    contract: {
      ...contract,
      method: 'GET',
      query: querySchema(list, item),
      response,
      errors: ['page_too_deep', 'page_too_large'],
      readsMany: true,
      ranks: list.ranks,
      weigh: (query: ListQuery) => (isCheap(list, query) ? 1 : weightOfWindow),
    },
    read: async (input) =>
      isSmall(list, input.query) &&
      queryFor(list, input.query) &&
      !termsFor(input as Partial<ListRequest<K>>) &&
      !keepingFor(input as Partial<ListRequest<K>>)
        ? readPage(input, input.query)
        : undefined,
    decide: async (request, early) => {
      const { unknown, ...answer } = await respond(request, early);
      requireReferenced(unknown);
      return answer;
    },
    page: (request) => respond(request as ListRequest<K>),
    count: (request) => {
      const input = request as ListRequest<K>;
      const query = queryFor(list, input.query, input.principal, input.accountRecord) ?? input.query;
      return countMatches(list, query, { ...input, reach: termsFor(input) }, (...part) =>
        sourceOf(input, ...part),
      );
    },
  };
  return endpoint;
}

/**
 * Returns the query with the values for this caller; see `forCaller`. Undefined if the caller must be known for one of them.
 */
function queryFor<S>(
  { filters }: List<S>,
  sent: ListQuery,
  principal?: SignedIn,
  account?: ListedAccount,
): ListQuery | undefined {
  const query = { ...sent };
  for (const [name, { forCaller }] of Object.entries(filters))
    if (forCaller && query[name] !== undefined) {
      query[name] = forCaller(query[name], principal, account);
      if (query[name] === undefined) return undefined;
    }
  return query;
}

/** For each sortable field with an enum, the values in the order of its schema. */
const ranksOf = ({ properties }: TObject, sorts: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(
    sorts.flatMap((field) => {
      const { enum: values } = (properties[field] ?? {}) as { enum?: unknown[] };
      return values ? [[field, values.filter((value) => typeof value === 'string')]] : [];
    }),
  );

const combinations = (tableFilters: FilterValues): number =>
  Object.values(tableFilters).reduce((product, values = []) => product * values.length, 1);

const pageSchema = <I extends TObject, M = object>(
  { item, indexedFields, parents }: { item: I; indexedFields?: unknown; parents?: unknown },
  extraFields: TProperties = {},
) =>
  unsafe<Page<Static<I>> & M>({
    ...object({ ...pageFields(item, indexedFields !== undefined || parents !== undefined), ...extraFields }),
  });

function querySchema<S>(
  { filters, sorts, searched: names, indexedFields }: List<S>,
  { properties }: TObject,
): TUnsafe<ListQuery> {
  const searched = indexedFields ? [...indexedFields.names, ...indexedFields.texts] : names;
  const query = object({
    ...pageParameters,
    ...('updatedAt' in properties && {
      updatedAfter: optional(
        dateTime({
          description: indexedFields
            ? 'Only records that changed after this time. With `cursor`, a page contains them in the order of their changes, and a record that changes again is returned again.'
            : 'Only records that changed after this time.',
        }),
      ),
    }),
    ...(indexedFields && {
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
    ...(searched.length > 0 && {
      search: optional(
        string({
          maxLength: 200,
          description: `The beginnings of words in ${searched.join(', ')}. An empty text is ignored.`,
        }),
      ),
    }),
    ...Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, optional(schema)])),
  });
  return unsafe({ ...query });
}
