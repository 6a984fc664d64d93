import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { viewedResources } from '../../shared/resources/derived.ts';
import { requireChangeable, showView } from '../../shared/saved-views/access.ts';
import { viewChanged } from '../../shared/saved-views/events.ts';
import { SavedView, viewPermissions } from '../../shared/saved-views/schema.ts';
import { savedViews } from '../../shared/saved-views/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/views/{id}',
  anyPermission: viewPermissions,
  reach: viewedResources,
  params: RecordParams,
  response: SavedView,
  happenings: ['view_deleted'],
  summary: 'Delete a view',
  description: 'Only the creator and administrators can delete a view. Built-in views cannot be deleted.',
  read: ({ account, params }) => savedViews.find(account, params.id),
  decide: (request, stored) => {
    const view = requireChangeable(request, request.params.id, stored);
    return {
      response: showView(view),
      writes: savedViews.delete(view, request.now),
      events: viewChanged('view_deleted', view),
    };
  },
});
