import type { AccountId } from '../id/account-id.ts';
import { digits, type Key, partitionAcrossAccounts, tenantPartition } from '../table/keys.ts';

export const vanityDomainPartition = (account: AccountId): string => tenantPartition(account, 'VANITYDOMAIN');

export const vanityDomainKey = (account: AccountId, id: number): Key => ({
  pk: vanityDomainPartition(account),
  sk: digits(id),
});

/** The key of the results of the checks of a domain. It sorts right after the key of the domain. */
export const domainProofKey = (account: AccountId, id: number): Key => ({
  pk: vanityDomainPartition(account),
  sk: `${digits(id)}#PROOF`,
});

/** The key of the marker that prevents that an account requests a domain twice. Markers sort after all domains. */
export const domainNameKey = (account: AccountId, domain: string): Key => ({
  pk: vanityDomainPartition(account),
  sk: `NAME#${domain}`,
});

/** The sort keys of all domains of an account, with their proofs. */
export const vanityDomainRange = { from: '0', to: ':' } as const;

/** The key of the item that names the only account in which a domain is validated or active. */
export const domainHolderAcrossAccountsKey = (domain: string): Key => ({
  pk: partitionAcrossAccounts('VANITYDOMAINHOLDER', domain),
  sk: 'HOLDER',
});
