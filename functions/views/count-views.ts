import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { viewedResources } from '../../shared/resources/derived.ts';
import { viewsFor } from '../../shared/saved-views/access.ts';
import { countOfView } from '../../shared/saved-views/run-list.ts';
import { ViewCounts, viewPermissions } from '../../shared/saved-views/schema.ts';
import { savedViews } from '../../shared/saved-views/store.ts';

export default endpoint({
  method: 'GET',
  path: '/views/counts',
  anyPermission: viewPermissions,
  reach: viewedResources,
  response: ViewCounts,
  runsLists: true,
  weigh: () => weightOfWindow,
  summary: 'Count the records of the caller’s views',
  description:
    'Returns a count for each view that `GET /views` lists. A count above 1,000 is `1000+`. ' +
    'A smaller count with `+`, such as `12+`, is a lower bound, because each count reads a limited number of records. There are two cases. ' +
    'The search index cannot apply a filter, such as `slaStatus`, and there are more than 1,000 records to compare. Or several filters match more than 1,000 records each. ' +
    'Changes of the last second can be missing. A request counts as ten requests of the caller’s limit.',
  read: ({ account }) => savedViews.all(account),
  decide: async (request, stored) => ({
    response: {
      data: await Promise.all(
        viewsFor(request, stored).map(async (view) => ({
          id: view.id,
          count: await countOfView(request, view),
        })),
      ),
    },
  }),
});
