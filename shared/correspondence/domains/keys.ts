import type { AccountId } from '../../id/account-id.ts';
import { type Key, partitionAcrossAccounts, tenantPartition } from '../../table/keys.ts';

/** The key of the item that names the only account in which a mail domain is proved. */
export const mailDomainHolderAcrossAccountsKey = (domain: string): Key => ({
  pk: partitionAcrossAccounts('MAILDOMAINHOLDER', domain),
  sk: 'HOLDER',
});

/** The marker that prevents that an account adds a domain twice. */
export const mailDomainNameKey = (account: AccountId, domain: string): Key => ({
  pk: tenantPartition(account, 'MAILDOMAINNAME', domain),
  sk: 'NAME',
});
