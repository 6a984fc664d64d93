import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { viewedResources } from '../../shared/resources/derived.ts';
import { showView } from '../../shared/saved-views/access.ts';
import { newView } from '../../shared/saved-views/change-view.ts';
import { viewChanged } from '../../shared/saved-views/events.ts';
import { SavedView, SavedViewInput, viewPermissions } from '../../shared/saved-views/schema.ts';
import { savedViews } from '../../shared/saved-views/store.ts';

export default endpoint({
  method: 'POST',
  path: '/views',
  anyPermission: viewPermissions,
  reach: viewedResources,
  body: SavedViewInput,
  response: SavedView,
  success: 'created',
  errors: ['quota_exceeded'],
  happenings: ['view_created'],
  rights: ['emails:find'],
  runsLists: true,
  weigh: () => weightOfWindow,
  summary: 'Create a view',
  description:
    'A query that the list would reject is rejected with the same error, which names the parameter of the list. The caller needs the permission to read the records. An account has at most 200 views. A request counts as ten requests of the caller’s limit.',
  decide: async (request) => {
    const view = await newView(request);
    return {
      response: showView(view),
      writes: savedViews.insert(view),
      events: viewChanged('view_created', view),
    };
  },
});
