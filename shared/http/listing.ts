import type { Permission } from '../auth/permissions.ts';
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
import type { Access } from './contract.ts';
import { type Asked, type Endpoint, endpoint } from './endpoint.ts';
import { invalid, Refusal } from './errors.ts';
import type { ListSource } from './list-source.ts';
import { isAnyOf, mentions, type Page, pageOf, type View, viewOf } from './list-view.ts';

/** A filter or search looks at this many of the newest records; paging goes as deep. */
export const listWindow = 10_000;

/** What a list can be asked for. */
interface Questions {
  item: TObject;
  filters: readonly string[];
  sorts: readonly string[];
  searchable: readonly string[];
  /** The sort that means age, and so the default order. Left out: createdAt. */
  age?: string;
  /** Query parameters that are more than equality with a field. */
  where?: Record<string, { schema: TSchema; holds: (record: never, value: never) => boolean }>;
}

interface ListingContract<P extends TProperties, Bare extends boolean> extends Questions {
  path: string;
  summary: string;
  description?: string;
  access?: Access;
  permission?: Permission;
  item: TObject<P>;
  /** Fields with an equality filter of their own name; a repeated parameter means any of its values. */
  filters: readonly (keyof P & string)[];
  sorts: readonly (keyof P & string)[];
  searchable: readonly (keyof P & string)[];
  where?: Record<string, { schema: TSchema; holds: (record: Static<TObject<P>>, value: never) => boolean }>;
  /** The answer is the bare array, and the totals are headers. */
  bareArray?: Bare;
}

type ListAnswer<R, Bare extends boolean> = Bare extends true ? R[] : Page<R>;

type ListQuery = { page: number; pageSize: number; sort?: string; search?: string } & Record<string, unknown>;

/**
 * Declares the endpoint of a list: `{data, totalCount, totalPages, currentPage}`, newest first. Without filter,
 * search or order it pages over its index and costs the same at any size; every other view is evaluated over the
 * newest 10,000, and says so in `x-list-window` when there are more.
 */
export function listing<P extends TProperties, const Bare extends boolean = false>(
  contract: ListingContract<P, Bare>,
  from: (asked: Asked) => ListSource<Static<TObject<P>>>,
): Endpoint<TSchema, TSchema, TSchema, TUnsafe<ListAnswer<Static<TObject<P>>, Bare>>> {
  type R = Static<TObject<P>>;
  const { item, filters, sorts, searchable, where, age, bareArray, ...rest } = contract;
  return endpoint(
    {
      ...rest,
      method: 'GET',
      query: querySchema(contract),
      response: bareArray ? array(item) : pageSchema(item),
    },
    {
      read: async (asked) => {
        const view = viewFrom<R>(contract, asked.query as ListQuery);
        return isLight(view) ? readView(from(asked), view) : undefined;
      },
      decide: async (request, early) => {
        const { page, windowed } =
          early ?? (await readView(from(request), viewFrom<R>(contract, request.query as ListQuery)));
        const headers: Record<string, string> = windowed ? { 'x-list-window': String(listWindow) } : {};
        if (!bareArray) return { answer: page as never, headers };
        const totals = {
          'x-total-count': page.totalCount,
          'x-total-pages': page.totalPages,
          'x-current-page': page.currentPage,
        };
        for (const [name, value] of Object.entries(totals)) headers[name] = String(value);
        return { answer: page.data as never, headers };
      },
    },
  ) as never;
}

const pageSchema = (item: TSchema) =>
  object({ data: array(item), totalCount: integer(), totalPages: integer(), currentPage: integer() });

function querySchema({ item, filters, sorts, searchable, where = {} }: Questions) {
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
    ...Object.fromEntries(Object.entries(where).map(([name, { schema }]) => [name, optional(schema)])),
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
const isDefault = <R>({ order, conditions }: View<R>): boolean =>
  order.length === 0 && conditions.length === 0;

/** Little enough to be read before the caller has proved that it may; the rest waits until it has. */
const isLight = <R>(view: View<R>): boolean => isDefault(view) && view.page * view.pageSize <= 1000;

function viewFrom<R>(
  { filters, sorts, searchable, where = {}, age = 'createdAt' }: Questions,
  query: ListQuery,
): View<R> {
  const { page, pageSize, sort, search } = query;
  if (page * pageSize > listWindow) throw new Refusal('page_too_deep');
  const order = readOrder(sort, sorts);
  const newestFirst = order.length === 1 && order[0]?.field === age && order[0].descending;
  const conditions: View<R>['conditions'] = [
    ...filters.flatMap((field) =>
      query[field] ? [isAnyOf<R>(field as keyof R, query[field] as unknown[])] : [],
    ),
    ...(search ? [mentions<R>(searchable as (keyof R)[], search)] : []),
    ...Object.entries(where).flatMap(([name, { holds }]) =>
      query[name] === undefined ? [] : [(record: R) => holds(record as never, query[name] as never)],
    ),
  ];
  return { page, pageSize, conditions, order: newestFirst ? [] : (order as View<R>['order']) };
}

async function readView<R>(
  source: ListSource<R>,
  view: View<R>,
): Promise<{ page: Page<R>; windowed: boolean }> {
  const { page, pageSize } = view;
  if (isDefault(view)) {
    const [newest, total] = await Promise.all([source.newest(page * pageSize), source.total()]);
    return { page: pageOf(newest.slice((page - 1) * pageSize), total, page, pageSize), windowed: false };
  }
  const records = await source.newest(listWindow + 1);
  return { page: viewOf(records.slice(0, listWindow), view), windowed: records.length > listWindow };
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
