import type { AccountId } from '../id/account-id.ts';
import type { FieldUses } from '../search/indexed-fields.ts';
import { type ListSource, shortListSource } from '../table/list-source.ts';
import type { VanityDomain } from './schema.ts';
import { showDomain } from './show-domain.ts';
import { vanityDomains } from './store.ts';

/** The fields of the list of vanity domains, which `GET /search` also reads. */
export const domainFields = {
  createdAt: ['sort'],
  updatedAt: ['sort'],
  domain: ['filter', 'search', 'sort'],
  unicodeDomain: ['search'],
  status: ['filter', 'sort'],
} satisfies FieldUses;

/** Returns the source of the list of an account's vanity domains, newest first. */
export const domainsOf = (account: AccountId): ListSource<VanityDomain> =>
  shortListSource(async () =>
    (await vanityDomains.all(account)).map(({ domain, proof }) => showDomain(domain, proof)),
  );
