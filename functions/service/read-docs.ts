import { builtDocument } from '../../shared/endpoints/built-document.ts';
import { referencePage } from '../../shared/endpoints/reference-pages.ts';
import { object, optional, string } from '../../shared/schema.ts';

/**
 * The maximum length of an uncompressed page. Lambda limits a response to 6 MB of JSON, in which each
 * quotation mark of the page takes two bytes.
 */
const largestPage = 5_000_000;

export default builtDocument({
  path: '/docs',
  query: object({
    operation: optional(
      string({
        maxLength: 100,
        description: 'The `operationId` of an operation. If omitted, the start page is returned.',
      }),
    ),
  }),
  response: string({ maxLength: largestPage }),
  mediaType: 'text/html; charset=utf-8',
  apiArtifact: 'reference',
  errors: ['not_found'],
  document: ({ reference }, { operation }) => referencePage(reference, operation),
  summary: 'Read the API reference, with forms to try the API',
  description: 'Returns an HTML page that needs no other resources.',
});
