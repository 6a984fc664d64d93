import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { viewedResources } from '../../shared/resources/derived.ts';
import { requireView } from '../../shared/saved-views/access.ts';
import { SavedView, viewPermissions } from '../../shared/saved-views/schema.ts';
import { savedViews } from '../../shared/saved-views/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/views/{id}',
  anyPermission: viewPermissions,
  reach: viewedResources,
  params: RecordParams,
  response: SavedView,
  summary: 'Read a view',
  read: ({ account, params }) => savedViews.find(account, params.id),
  decide: (request, stored) => ({ response: requireView(request, request.params.id, stored) }),
});
