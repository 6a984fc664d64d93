import { endpoint } from '../../shared/http/endpoint.ts';
import { openObject } from '../../shared/schema.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    response: openObject(),
    tellsOf: 'openapi',
    summary: 'Read the OpenAPI 3.1 document of this API',
  },
  { decide: ({ api }) => ({ answer: api.openapi as Record<string, unknown> }) },
);
