import { builtDocument } from '../../shared/endpoints/built-document.ts';
import { unsafe } from '../../shared/schema.ts';

export default builtDocument({
  path: '/openapi.json',
  response: unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  mediaType: 'application/json; charset=utf-8',
  apiArtifact: 'openapi',
  document: ({ openapi }) => openapi,
  summary: 'Read the OpenAPI 3.1 document of this API',
  description: 'Returns the document from which the API reference and the client libraries are generated.',
});
