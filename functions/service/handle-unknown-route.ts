import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { methodsOf } from '../../shared/endpoints/routes.ts';
import { ApiError } from '../../shared/errors.ts';
import { openObject } from '../../shared/schema.ts';

export default endpoint({
  method: 'ANY',
  path: '$default',
  access: 'public',
  query: openObject(),
  response: openObject(),
  apiArtifact: 'routes',
  errors: ['route_not_found', 'method_not_allowed'],
  summary: 'Reject requests that match no endpoint',
  decide: ({ api, path }) => {
    const allowed = methodsOf(api.routes, path);
    if (allowed.length === 0) throw new ApiError('route_not_found');
    throw new ApiError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
  },
});
