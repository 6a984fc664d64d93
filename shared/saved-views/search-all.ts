import { type Account, defaultCountry } from '../accounts/schema.ts';
import { indexedInvoiceFields } from '../billing/indexed-fields.ts';
import { InvoiceSummary } from '../billing/schema.ts';
import { invoices } from '../billing/store.ts';
import { childAccounts, mostChildAccounts } from '../child-accounts/children.ts';
import { AccountType, ChildAccount } from '../child-accounts/schema.ts';
import { accountTypes, mostAccountTypes } from '../child-accounts/store.ts';
import { indexedMailFields } from '../correspondence/mails/indexed-fields.ts';
import { parentOfMail } from '../correspondence/mails/parent-of-mail.ts';
import { MailSummary } from '../correspondence/mails/schema.ts';
import { mails } from '../correspondence/mails/store.ts';
import { mailRecordTypes } from '../correspondence/threads/mail-access.ts';
import { domainFields, domainsOf } from '../domains/list-domains.ts';
import { maxVanityDomains, VanityDomain } from '../domains/schema.ts';
import { bestMatches, bestOfNewest } from '../endpoints/best-matches.ts';
import { hidesSomeOf, type ParentRecord, parentOfInvoice, shownTo } from '../endpoints/parent-records.ts';
import type { AccountId } from '../id/account-id.ts';
import { Impersonation, impersonationFields } from '../people/impersonation-records/schema.ts';
import { impersonations } from '../people/impersonation-records/store.ts';
import { indexedMemberFields } from '../people/users/indexed-fields.ts';
import { membersOf } from '../people/users/list-members.ts';
import { ListedUser } from '../people/users/schema.ts';
import type { Permission, ReachedType } from '../resources/registry.ts';
import { indexedApplicationFields } from '../sales/applications/record/indexed-fields.ts';
import { ApplicationSummary } from '../sales/applications/record/schema.ts';
import { applications } from '../sales/applications/store.ts';
import { indexedLeadFields } from '../sales/leads/indexed-fields.ts';
import { Lead } from '../sales/leads/schema.ts';
import { leads } from '../sales/leads/store.ts';
import { searchedMerchants } from '../sales/merchants/find-by-mid.ts';
import { indexedMerchantFields } from '../sales/merchants/indexed-fields.ts';
import { Merchant } from '../sales/merchants/schema.ts';
import { listedRuleFields, maxRules, UnderwritingRule } from '../sales/underwriting-rules/schema.ts';
import { underwritingRules } from '../sales/underwriting-rules/store.ts';
import { array, object, optional, type Static } from '../schema.ts';
import { type SearchWord, searchWordsOf } from '../search/search-words.ts';
import type { SignedIn } from '../security/principal.ts';
import { type Reach, reachOf, readsSome } from '../security/reach.ts';
import { indexedTicketFields } from '../support/tickets/indexed-fields.ts';
import { ticketsOf } from '../support/tickets/list-tickets.ts';
import { Ticket } from '../support/tickets/schema.ts';
import { withoutInternal } from '../support/tickets/show-ticket.ts';
import { inParallel } from '../table/in-parallel.ts';

/** The best matches of each type. A type that the caller may not read is absent. */
export const SearchResults = object({
  leads: optional(array(Lead)),
  applications: optional(array(ApplicationSummary)),
  merchants: optional(array(Merchant)),
  tickets: optional(array(Ticket)),
  mails: optional(array(MailSummary)),
  invoices: optional(array(InvoiceSummary)),
  users: optional(array(ListedUser)),
  underwritingRules: optional(array(UnderwritingRule)),
  domains: optional(array(VanityDomain)),
  accountTypes: optional(array(AccountType)),
  childAccounts: optional(array(ChildAccount)),
  impersonations: optional(array(Impersonation)),
});

type SearchResults = Static<typeof SearchResults>;

/** Impersonations have no search index. A search compares this number of the newest. */
const newestImpersonations = 50;

interface SearchRequest {
  account: AccountId;
  accountRecord: Pick<Account, 'country'>;
  principal: SignedIn;
  now: Date;
}

/**
 * Searches all records that the caller may read, at most five of each type. Lists whose length is limited by a quota have
 * no search index. Their entries are compared.
 */
export async function searchAll(
  { account, accountRecord, principal, now }: SearchRequest,
  text: string,
): Promise<SearchResults> {
  const words = searchWordsOf(text, accountRecord.country ?? defaultCountry);
  const may = (permission: Permission) => principal.permissions.has(permission);
  const ofReached = <T>(type: ReachedType, search: (reach: Reach) => Promise<T>): Promise<T> | undefined =>
    readsSome(principal, type) ? search(reachOf(principal, type, 'read')) : undefined;
  const keepingFor = <S>(types: readonly ReachedType[], parentOf: (record: S) => ParentRecord | undefined) =>
    hidesSomeOf(principal, types)
      ? (found: S[]) => shownTo(principal, account, types, found, parentOf)
      : undefined;
  const isAdministrator = principal.administrator;
  const searches = {
    leads: ofReached('lead', (reach) => bestMatches(leads.listOf(account), indexedLeadFields, words, reach)),
    applications: ofReached('application', (reach) =>
      bestMatches(applications.listOf(account), indexedApplicationFields, words, reach),
    ),
    merchants: ofReached('merchant', (reach) =>
      bestMatches(searchedMerchants(account, text, reach), indexedMerchantFields, words, reach),
    ),
    tickets: ofReached('ticket', (reach) =>
      bestMatches(ticketsOf(account, {}, undefined, now), indexedTicketFields, words, reach).then((found) =>
        found.map((ticket) => withoutInternal(ticket, principal)),
      ),
    ),
    mails: may('readMails')
      ? bestMatches(
          mails.listOf(account),
          indexedMailFields,
          words,
          'all',
          keepingFor<MailSummary>(mailRecordTypes, parentOfMail),
        )
      : undefined,
    invoices: may('readInvoices')
      ? bestMatches(
          invoices.listOf(account),
          indexedInvoiceFields,
          indexedInvoiceFields.wordsOf?.(text) ?? words,
          'all',
          keepingFor<InvoiceSummary>(['merchant'], parentOfInvoice),
        )
      : undefined,
    users: may('readUsers') ? bestMatches(membersOf(account), indexedMemberFields, words) : undefined,
    underwritingRules: may('readUnderwritingRules')
      ? bestOfNewest(underwritingRules.listIn(account, false), listedRuleFields, words, maxRules)
      : undefined,
    domains: isAdministrator
      ? bestOfNewest(domainsOf(account), domainFields, words, maxVanityDomains)
      : undefined,
    accountTypes: isAdministrator
      ? bestOfNewest(accountTypes.listOf(account, []), { name: ['search'] }, words, mostAccountTypes)
      : undefined,
    childAccounts: isAdministrator
      ? bestOfNewest(
          childAccounts.listOf(account, { eventual: true }),
          { name: ['search'] },
          words,
          mostChildAccounts,
        )
      : undefined,
    impersonations: impersonationsFor(principal, account, words),
  } satisfies { [Type in keyof Required<SearchResults>]: Promise<SearchResults[Type]> | undefined };
  const found = await inParallel(Object.values(searches));
  return Object.fromEntries(Object.keys(searches).map((type, n) => [type, found[n]])) as SearchResults;
}

/** Administrators find the impersonations of all users, and users only their own. Undefined for an API key. */
function impersonationsFor(
  { administrator, kind, id }: SignedIn,
  account: AccountId,
  words: readonly SearchWord[],
): Promise<Impersonation[]> | undefined {
  if (kind !== 'user') return undefined;
  const source = administrator ? impersonations.ofAllUsers(account) : impersonations.listOf(account, id);
  return bestOfNewest(source, { ...impersonationFields, email: ['search'] }, words, newestImpersonations);
}
