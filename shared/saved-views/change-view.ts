import type { Request } from '../endpoints/endpoint.ts';
import { invalid } from '../errors.ts';
import { resolveAssignees } from '../people/users/assignee-filter.ts';
import type { Static } from '../schema.ts';
import { principalKeyOf } from '../security/principal.ts';
import { newRecord } from '../table/record-fields.ts';
import { revise } from '../table/revise.ts';
import { requireReadableRecords } from './access.ts';
import { requireAccepted } from './run-list.ts';
import type { SavedQuery, SavedView, SavedViewInput, SavedViewPatch, StoredView } from './schema.ts';

type ViewRequest = Request<{ runsLists: true }>;

/** Returns a new view of the caller. Throws the errors of the list if it rejects the query or the sort. */
export async function newView(
  request: ViewRequest & { body: Static<typeof SavedViewInput> },
): Promise<StoredView> {
  const { body, principal } = request;
  requireReadableRecords(principal, body);
  const query = await checkedQuery(request, body);
  const shared = sharing(request, body.sharedWith);
  return { ...newRecord(request), ...body, query, ...shared, owner: principalKeyOf(principal) };
}

/** Returns the changed view, or the same object if nothing changes. Throws the same errors as `newView`. */
export async function changedView(
  request: ViewRequest & { body: Static<typeof SavedViewPatch> },
  before: StoredView,
): Promise<StoredView> {
  const { sharedWith, sort, ...body } = request.body;
  const changesQuery = body.query !== undefined || sort !== undefined;
  const wanted = { ...before, ...body, sort: sort === undefined ? before.sort : (sort ?? undefined) };
  const query = changesQuery ? await checkedQuery(request, wanted, body.query !== undefined) : before.query;
  const shared =
    sharedWith === undefined || sharedWith === before.sharedWith
      ? {}
      : { sharedWith, teamId: null, ...sharing(request, sharedWith) };
  return revise<StoredView>(before, { ...body, sort, query, ...shared }, request);
}

/** The parameters of a list that are not part of a query. */
const pageParameters = ['page', 'pageSize', 'cursor', 'sort'];

/**
 * Returns the query with user ids in place of emails, because a count has no time to find users. Throws `invalid_input` as
 * the list does if the list rejects the query or the sort.
 */
async function checkedQuery(
  request: ViewRequest,
  view: Pick<SavedView, 'resource' | 'query' | 'sort'>,
  isNewQuery = true,
): Promise<SavedQuery> {
  const { query } = view;
  for (const [name, value] of Object.entries(query)) {
    if (pageParameters.includes(name)) throw invalid(name, 'must not be part of the query of a view');
    if (Array.isArray(value) && value.length === 0) throw invalid(name, 'must not be empty');
  }
  await requireAccepted(request, view, { isNewQuery });
  const { assignedTo } = query;
  if (assignedTo === undefined) return query;
  const users = await resolveAssignees(request.account, [assignedTo].flat());
  return { ...query, assignedTo: Array.isArray(assignedTo) ? users : users[0] };
}

/** Returns the team with which the caller shares a view. Throws `invalid_input` if the caller has no team. */
function sharing({ principal }: ViewRequest, sharedWith: SavedView['sharedWith']): { teamId?: number } {
  if (sharedWith !== 'team') return {};
  if (principal.teamId === undefined)
    throw invalid('sharedWith', 'must not be `team`, because the caller has no team');
  return { teamId: principal.teamId };
}
