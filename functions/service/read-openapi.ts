import { builtDocument } from '../../shared/http/built-document.ts';
import { openObject } from '../../shared/schema.ts';

export default builtDocument({
  path: '/openapi.json',
  response: openObject(),
  mediaType: 'application/json; charset=utf-8',
  apiArtifact: 'openapi',
  summary: 'Read the OpenAPI 3.1 document of this API',
});
