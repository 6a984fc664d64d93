import { builtDocument } from '../../shared/endpoints/built-document.ts';
import { string } from '../../shared/schema.ts';

/** Lambda limits a response to 6 MB. In the response's JSON, each quote of an uncompressed page takes two bytes. */
const largestPage = 5_000_000;

export default builtDocument({
  path: '/docs',
  response: string({ maxLength: largestPage }),
  mediaType: 'text/html; charset=utf-8',
  apiArtifact: 'referencePage',
  summary: 'Read the API reference, with a console to try the API',
  description: 'Returns an HTML page that needs no other resources.',
});
