import type { AccountId } from '../id/account-id.ts';
import { type ListSource, shortListSource } from '../table/list-source.ts';
import type { VanityDomain } from './schema.ts';
import { showDomain } from './show-domain.ts';
import { vanityDomains } from './store.ts';

/** The fields that searches of vanity domains compare. */
export const searchedDomainFields = ['domain', 'unicodeDomain'] as const;

/** Returns the source of the list of an account's vanity domains, newest first. */
export const domainsOf = (account: AccountId): ListSource<VanityDomain> =>
  shortListSource(async () =>
    (await vanityDomains.all(account)).map(({ domain, proof }) => showDomain(domain, proof)),
  );
