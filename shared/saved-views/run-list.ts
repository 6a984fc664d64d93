import { mostCounted } from '../endpoints/count-view.ts';
import type { Request } from '../endpoints/endpoint.ts';
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
  page: { cursor?: string } = {},
) {
  const list = request.lists[resource];
  const { principal, accountRecord, now } = request;
  const context = { teamId: principal.teamId, timezone: accountRecord.timezone, now };
  // A list rejects a cursor with a sort.
  const isSorted = sort !== undefined && page.cursor === undefined;
  const sent = { ...resolveQuery(query, list.query, context), ...(isSorted && { sort }), ...page };
  return { list, sent: { ...request, params: {}, query: check(list.query, sent) } };
}

/** Returns the page of a view as its list returns it to the caller. Throws the errors of the list. */
export async function pageOfView(
  request: ListingRequest,
  view: Selecting,
  page: { pageSize?: number; cursor?: string },
): Promise<HttpResponse> {
  const { list, sent } = requestOf(request, view, page);
  const { response, headers } = await list.endpoint.decide(sent, undefined);
  return jsonResponse(200, shaped(response, list.response), headers);
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
