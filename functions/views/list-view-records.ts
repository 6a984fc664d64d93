import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { viewedResources } from '../../shared/resources/derived.ts';
import { requireView } from '../../shared/saved-views/access.ts';
import { pageOfView } from '../../shared/saved-views/run-list.ts';
import { ViewPage, ViewPageQuery, viewPermissions } from '../../shared/saved-views/schema.ts';
import { savedViews } from '../../shared/saved-views/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/views/{id}/records',
  anyPermission: viewPermissions,
  reach: viewedResources,
  params: RecordParams,
  query: ViewPageQuery,
  response: ViewPage,
  errors: ['page_too_deep', 'page_too_large'],
  runsLists: true,
  weigh: () => weightOfWindow,
  summary: 'List the records of a view',
  description:
    'Returns a page of the list with the query and the sort of the view, as the list returns it to the caller. ' +
    'With a cursor, the sort of the view is ignored. ' +
    'The caller needs the permission to read the records. A request counts as ten requests of the caller’s limit.',
  read: ({ account, params }) => savedViews.find(account, params.id),
  decide: async (request, stored) => ({
    httpResponse: await pageOfView(request, requireView(request, request.params.id, stored), request.query),
  }),
});
