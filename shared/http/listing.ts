import { ApiError, invalid } from '../errors.ts';
import {
  array,
  integer,
  object,
  optional,
  type Static,
  string,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '../schema.ts';
import type { ListSource } from '../table/list-source.ts';
import type { Admission } from './contract.ts';
import { type Endpoint, endpoint, type RequestInput } from './endpoint.ts';
import { firstOf, isAnyOf, mentions, type Page, type View } from './list-view.ts';
import { listWindow, readView } from './read-view.ts';

/** What a filtered, searched or sorted list counts as against its caller's limit: it looks at a whole window. */
const weightOfWindow = 10;

/** What a list can be asked for. */
interface Questions {
  item: TObject;
  filters: readonly string[];
  sorts: readonly string[];
  searchable: readonly string[];
  /** Long texts, of which a list shows the first 500 characters. */
  brief?: readonly string[];
  /** The sort that means age, and so the default order. Left out: createdAt. */
  timeField?: string;
  /** Query parameters that are more than equality with a field. */
  customFilters?: Record<string, { schema: TSchema; matches: (record: never, value: never) => boolean }>;
}

interface ListingTerms<P extends TProperties, Operation extends boolean> extends Questions {
  path: string;
  summary: string;
  description?: string;
  item: TObject<P>;
  /** Fields with an equality filter of their own name; a repeated parameter means any of its values. */
  filters: readonly (keyof P & string)[];
  sorts: readonly (keyof P & string)[];
  searchable: readonly (keyof P & string)[];
  brief?: readonly (keyof P & string)[];
  customFilters?: Record<
    string,
    { schema: TSchema; matches: (record: Static<TObject<P>>, value: never) => boolean }
  >;
  /** The answer is the bare array, and the totals are headers. */
  bareArray?: Operation;
}

type ListingContract<P extends TProperties, Operation extends boolean> = ListingTerms<P, Operation> &
  Admission;

type ListResponse<R, Operation extends boolean> = Operation extends true ? R[] : Page<R>;

type ListQuery = { page: number; pageSize: number; sort?: string; search?: string } & Record<string, unknown>;

/**
 * Declares the endpoint of a list: `{data, totalCount, totalPages, currentPage}`, newest first. Without filter,
 * search or order it pages over its index and costs the same at any size. Every other view is evaluated over a window
 * of the newest records and counts as ten calls; where the window leaves some out, `x-list-window` says how many it
 * held.
 */
export function listing<P extends TProperties, const Operation extends boolean = false>(
  contract: ListingContract<P, Operation>,
  from: (input: RequestInput) => ListSource<Static<TObject<P>>, object>,
): Endpoint<TSchema, TSchema, TSchema, TUnsafe<ListResponse<Static<TObject<P>>, Operation>>> {
  const {
    item,
    filters,
    sorts,
    searchable,
    brief = [],
    customFilters,
    timeField,
    bareArray,
    ...rest
  } = contract;
  const response = (input: RequestInput) => {
    const query = input.query as ListQuery;
    const view = viewFrom<object>(contract, query);
    const how = { plain: isPlain(contract, query), deadline: input.deadline, shorten: shortening(brief) };
    return readView(from(input), view, how);
  };
  return endpoint(
    {
      ...rest,
      method: 'GET',
      query: querySchema(contract),
      response: bareArray ? array(item) : pageSchema(item),
      errors: ['page_too_deep', 'page_too_large'],
    },
    {
      wide: true,
      weigh: (query) => (isPlain(contract, query as ListQuery) ? 1 : weightOfWindow),
      read: async (input) => (isLight(contract, input.query as ListQuery) ? response(input) : undefined),
      decide: async (request, early) => {
        const { page, window } = early ?? (await response(request));
        const headers: Record<string, string> =
          window === undefined ? {} : { 'x-list-window': String(window) };
        if (!bareArray) return { response: page as never, headers };
        const totals = {
          'x-total-count': page.totalCount,
          'x-total-pages': page.totalPages,
          'x-current-page': page.currentPage,
        };
        for (const [name, value] of Object.entries(totals)) headers[name] = String(value);
        return { response: page.data as never, headers };
      },
    },
  ) as never;
}

/** How a list shows a record: its long texts cut. */
const shortening =
  (brief: readonly string[]) =>
  <R>(record: R): R => {
    const shown = { ...record } as Record<string, unknown>;
    for (const field of brief)
      if (typeof shown[field] === 'string') shown[field] = firstOf(shown[field], 500);
    return shown as R;
  };

const pageSchema = (item: TSchema) =>
  object({
    data: array(item),
    totalCount: integer({ examples: [1] }),
    totalPages: integer({ examples: [1] }),
    currentPage: integer({ examples: [1] }),
  });

function querySchema({ item, filters, sorts, searchable, customFilters = {} }: Questions) {
  const fields = Object.fromEntries(
    filters.map((field) => [field, optional(array(filterSchema(item.properties[field])))]),
  );
  return object({
    page: optional(integer({ minimum: 1, default: 1 })),
    pageSize: optional(integer({ minimum: 1, maximum: 100, default: 25 })),
    ...(sorts.length > 0 && {
      sort: optional(
        string({ description: `A comma list of ${sorts.join(', ')}; a prefix - means descending.` }),
      ),
    }),
    ...(searchable.length > 0 && {
      search: optional(
        string({ minLength: 1, maxLength: 200, description: `A substring of ${searchable.join(', ')}.` }),
      ),
    }),
    ...fields,
    ...Object.fromEntries(
      Object.entries(customFilters).map(([name, { schema }]) => [name, optional(schema)]),
    ),
  });
}

/** A field's schema as a filter: what it may hold, without what is said about it. */
function filterSchema(schema: TSchema | undefined): TSchema {
  const {
    readOnly,
    default: _,
    description,
    examples,
    ...rules
  } = (schema ?? string()) as Record<string, unknown>;
  return rules as unknown as TSchema;
}

/** Newest first and everything: what the index answers by itself. */
const isPlain = (
  { timeField = 'createdAt' }: Questions,
  { page, pageSize, sort, ...input }: ListQuery,
): boolean => (sort === undefined || sort === `-${timeField}`) && Object.keys(input).length === 0;

/** Little enough to be read before the caller has proved that it may; the rest waits until it has. */
const isLight = (questions: Questions, query: ListQuery): boolean =>
  isPlain(questions, query) && query.page * query.pageSize <= 1000;

function viewFrom<S>(
  { filters, sorts, searchable, customFilters = {} }: Questions,
  query: ListQuery,
): View<S> {
  const { page, pageSize, sort, search } = query;
  if (page * pageSize > listWindow.records) throw new ApiError('page_too_deep');
  const conditions: View<S>['conditions'] = [
    ...filters.flatMap((field) =>
      query[field] ? [isAnyOf<S>(field as keyof S, query[field] as unknown[])] : [],
    ),
    ...(search ? [mentions<S>(searchable as (keyof S)[], search)] : []),
    ...Object.entries(customFilters).flatMap(([name, { matches }]) =>
      query[name] === undefined ? [] : [(record: S) => matches(record as never, query[name] as never)],
    ),
  ];
  return { page, pageSize, conditions, order: readOrder(sort, sorts) as View<S>['order'] };
}

function readOrder(
  sort: string | undefined,
  sorts: readonly string[],
): { field: string; descending: boolean }[] {
  if (sort === undefined) return [];
  return sort.split(',').map((part) => {
    const field = part.replace(/^-/, '');
    if (!sorts.includes(field)) throw invalid('sort', `must be a comma list of ${sorts.join(', ')}`);
    return { field, descending: part.startsWith('-') };
  });
}
