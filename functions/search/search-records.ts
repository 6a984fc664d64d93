import { bestMatches } from '../../shared/endpoints/best-matches.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { indexedMemberFields } from '../../shared/people/users/indexed-fields.ts';
import { membersOf } from '../../shared/people/users/list-members.ts';
import { ListedUser } from '../../shared/people/users/schema.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { indexedApplicationFields } from '../../shared/sales/applications/indexed-fields.ts';
import { ApplicationSummary } from '../../shared/sales/applications/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { indexedLeadFields } from '../../shared/sales/leads/indexed-fields.ts';
import { Lead } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { searchedMerchants } from '../../shared/sales/merchants/find-by-mid.ts';
import { indexedMerchantFields } from '../../shared/sales/merchants/indexed-fields.ts';
import { Merchant } from '../../shared/sales/merchants/schema.ts';
import { array, object, optional, string } from '../../shared/schema.ts';
import { searchWordsOf } from '../../shared/search/search-words.ts';
import { indexedTicketFields } from '../../shared/support/tickets/indexed-fields.ts';
import { ticketsOf } from '../../shared/support/tickets/list-tickets.ts';
import { Ticket } from '../../shared/support/tickets/schema.ts';
import { withoutInternal } from '../../shared/support/tickets/show-ticket.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'GET',
  path: '/search',
  anyPermission: ['readLeads', 'readApplications', 'readMerchants', 'readTickets', 'readUsers'],
  query: object({ q: string({ minLength: 1, maxLength: 200, examples: ['jos nun'] }) }),
  response: object({
    leads: optional(array(Lead)),
    applications: optional(array(ApplicationSummary)),
    merchants: optional(array(Merchant)),
    tickets: optional(array(Ticket)),
    users: optional(array(ListedUser)),
  }),
  summary: 'Search all records that the caller may read',
  description:
    'For a search box. Returns the best matches of each type that the caller may read, at most five, as their list shows ' +
    'them. To find all matches of a type, use `search` in its list.',
  decide: async ({ account, query, principal, now }) => {
    const words = searchWordsOf(query.q);
    const may = (permission: Permission) => principal.permissions.has(permission);
    const [inLeads, inApplications, inMerchants, inTickets, inUsers] = await inParallel([
      may('readLeads') ? bestMatches(leads.listOf(account), indexedLeadFields, words) : undefined,
      may('readApplications')
        ? bestMatches(applications.listOf(account), indexedApplicationFields, words)
        : undefined,
      may('readMerchants')
        ? bestMatches(searchedMerchants(account, query.q), indexedMerchantFields, words)
        : undefined,
      may('readTickets')
        ? bestMatches(ticketsOf(account, {}, undefined, now), indexedTicketFields, words)
        : undefined,
      may('readUsers') ? bestMatches(membersOf(account), indexedMemberFields, words) : undefined,
    ]);
    const results = { leads: inLeads, applications: inApplications, merchants: inMerchants, users: inUsers };
    const tickets = inTickets?.map((ticket) => withoutInternal(ticket, principal));
    return { response: { ...results, tickets } };
  },
});
