import { contentSecurityPolicy } from '../../shared/docs/content-security-policy.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { string } from '../../shared/schema.ts';

/** Lambda answers with 6 MB at most, and quotes in a page take two bytes each on the way. */
const largestPage = 5_000_000;

export default endpoint(
  {
    method: 'GET',
    path: '/docs',
    access: 'public',
    response: string({ maxLength: largestPage }),
    mediaType: 'text/html; charset=utf-8',
    tellsOf: 'referencePage',
    summary: 'Read the API reference, and try the API in it',
  },
  {
    decide: ({ api: { referencePage } }) => ({
      answer: referencePage,
      headers: { 'content-security-policy': contentSecurityPolicy(referencePage) },
    }),
  },
);
