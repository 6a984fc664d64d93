import { mostCounted } from '../endpoints/count-list.ts';
import type { Request } from '../endpoints/endpoint.ts';
import { requireReferenced } from '../endpoints/references.ts';
import { type HttpResponse, jsonResponse } from '../endpoints/response.ts';
import { shaped } from '../endpoints/shape.ts';
import { check } from '../endpoints/validation.ts';
import { ApiError } from '../errors.ts';
import { resolveQuery } from './resolve-query.ts';
import type { SavedView } from './schema.ts';

/** A request of an endpoint that runs lists. */
type ListingRequest = Request<{ runsLists: true }>;

/** The parts of a view that determine its records. */
type Selecting = Pick<SavedView, 'resource' | 'query' | 'sort'>;

/** Returns the request of a view to its list. Throws `invalid_input` for a query that the list does not accept. */
function requestOf(
  request: ListingRequest,
  { resource, query, sort }: Selecting,
  page: { pageSize?: number; cursor?: string } = {},
) {
  const list = request.lists[resource];
  const { principal, accountRecord, now } = request;
  const context = { teamId: principal.teamId, timezone: accountRecord.timezone, now };
  // A list rejects a cursor with a sort.
  const isSorted = sort !== undefined && page.cursor === undefined;
  const sent = { ...resolveQuery(query, list.query, context), ...(isSorted && { sort }), ...page };
  return { list, sent: { ...request, params: {}, query: check(list.query, sent) } };
}

/**
 * Returns the page of a view as its list returns it to the caller. If a filter refers only to records that were deleted
 * after the view was saved, the page is empty and has a hint, as the count is 0. Throws the other errors of the list.
 */
export async function pageOfView(
  request: ListingRequest,
  view: Selecting,
  page: { pageSize?: number; cursor?: string },
): Promise<HttpResponse> {
  const { list, sent } = requestOf(request, view, page);
  const { response, headers, unknown } = await list.endpoint.page(sent);
  const body = shaped(response, list.response);
  return jsonResponse(
    200,
    unknown.length > 0 ? { ...(body as object), hint: hintFor(unknown) } : body,
    headers,
  );
}

const hintFor = (filters: readonly string[]): string =>
  `No record of the filter ${filters.join(' or ')} exists any more. Change or delete the view.`;

/**
 * Throws the errors of the list if it rejects the query or the sort of a view. An older query may refer to records that
 * were deleted.
 */
export async function requireAccepted(
  request: ListingRequest,
  view: Selecting,
  { isNewQuery }: { isNewQuery: boolean },
): Promise<void> {
  const { list, sent } = requestOf(request, view, { pageSize: 1 });
  const { unknown } = await list.endpoint.page(sent);
  if (isNewQuery) requireReferenced(unknown);
}

/** Returns the count of a view as in the response. Null if the list rejects the view. */
export async function countOfView(request: ListingRequest, view: Selecting): Promise<number | string | null> {
  try {
    const { list, sent } = requestOf(request, view);
    const { count, isExact } = await list.endpoint.count(sent);
    if (count > mostCounted) return `${mostCounted}+`;
    return isExact ? count : `${count}+`;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_input') return null;
    throw error;
  }
}
