import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { viewedResources } from '../../shared/resources/derived.ts';
import { requireChangeable, showView } from '../../shared/saved-views/access.ts';
import { changedView } from '../../shared/saved-views/change-view.ts';
import { viewChanged } from '../../shared/saved-views/events.ts';
import { SavedView, SavedViewPatch, viewPermissions } from '../../shared/saved-views/schema.ts';
import { savedViews } from '../../shared/saved-views/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'PATCH',
  path: '/views/{id}',
  anyPermission: viewPermissions,
  reach: viewedResources,
  params: RecordParams,
  body: SavedViewPatch,
  response: SavedView,
  happenings: ['view_updated'],
  rights: ['emails:find'],
  runsLists: true,
  weigh: () => weightOfWindow,
  summary: 'Change the given fields of a view',
  description:
    'Only the creator and administrators can change a view. Built-in views cannot change. A query that the list would reject is rejected with the same error. A request counts as ten requests of the caller’s limit.',
  read: ({ account, params }) => savedViews.find(account, params.id),
  decide: async (request, stored) => {
    const before = requireChangeable(request, request.params.id, stored);
    await request.checkReadOnly(() => showView(before));
    const after = await changedView(request, before);
    // If the request changes nothing, a condition on the version still checks If-Match.
    return before === after
      ? { response: showView(after), writes: [savedViews.unchanged(before)], events: [] }
      : {
          response: showView(after),
          writes: savedViews.replace(before, after),
          events: viewChanged('view_updated', after),
        };
  },
});
