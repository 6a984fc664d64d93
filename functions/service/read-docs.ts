import { builtDocument } from '../../shared/http/built-document.ts';
import { string } from '../../shared/schema.ts';

/** Lambda answers with 6 MB at most, and quotes in a page that is sent uncompressed take two bytes each on the way. */
const largestPage = 5_000_000;

export default builtDocument({
  path: '/docs',
  response: string({ maxLength: largestPage }),
  mediaType: 'text/html; charset=utf-8',
  apiArtifact: 'referencePage',
  summary: 'Read the API reference, and try the API in it',
});
