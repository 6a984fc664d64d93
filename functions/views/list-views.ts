import { listingForPrincipal } from '../../shared/endpoints/listing.ts';
import { viewedResources } from '../../shared/resources/derived.ts';
import { viewsFor } from '../../shared/saved-views/access.ts';
import { SavedView, viewPermissions } from '../../shared/saved-views/schema.ts';
import { savedViews } from '../../shared/saved-views/store.ts';
import { shortListSource } from '../../shared/table/list-source.ts';

export default listingForPrincipal(
  {
    path: '/views',
    anyPermission: viewPermissions,
    reach: viewedResources,
    item: SavedView,
    shortList: { order: [] },
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      name: ['filter', 'search', 'sort'],
      resource: ['filter', 'sort'],
      sharedWith: ['filter'],
      builtIn: ['filter'],
      createdBy: ['filter'],
    },
    summary: 'List the caller’s views',
    description:
      'Lists the built-in views, the caller’s own views, and the views that are shared with the caller. ' +
      'Omits views of records that the caller may not read. By default, the built-in views come first, and then the oldest.',
    extraFields: {},
  },
  (request) => shortListSource(async () => viewsFor(request, await savedViews.all(request.account))),
  () => ({}),
);
