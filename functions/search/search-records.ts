import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { SearchResults, searchAll } from '../../shared/saved-views/search-all.ts';
import { object, string } from '../../shared/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/search',
  anyPermission: [
    'readLeads',
    'readApplications',
    'readMerchants',
    'readTickets',
    'readMails',
    'readInvoices',
    'readUsers',
    'readUnderwritingRules',
  ],
  reach: ['lead', 'application', 'merchant', 'ticket'],
  query: object({ q: string({ minLength: 1, maxLength: 200, examples: ['jos nun'] }) }),
  response: SearchResults,
  summary: 'Search all records that the caller may read',
  description:
    'For a search box. Returns the best matches of each type that the caller may read, at most five, as their list shows ' +
    'them. To find all matches of a type, use `search` in its list. Only administrators of the account search its domains, ' +
    'account types and child accounts. They also search the 50 newest impersonations of all users. Other users search ' +
    'their own impersonations.',
  decide: async (request) => ({ response: await searchAll(request, request.query.q) }),
});
