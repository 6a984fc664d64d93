import { holdersOf } from '../../domains/holders.ts';
import { ApiError } from '../../errors.ts';
import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { ListSource } from '../../table/list-source.ts';
import { deleteItem, isCounterDelta, putIfAbsent, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { scopedBy } from '../../table/scope.ts';
import { mailDomainHolderAcrossAccountsKey, mailDomainNameKey } from './keys.ts';
import { type MailDomain, maxMailDomains, type StoredMailDomain } from './schema.ts';
import { showMailDomain } from './show-domain.ts';

const records = recordStore<StoredMailDomain, 'mail_domain'>({
  resource: 'mail_domain',
  scope: scopedBy(() => [], maxMailDomains),
});

/** A domain is held by its account from its proof to its deletion, or until another account proves it. */
export const isHeld = ({ status }: Pick<StoredMailDomain, 'status'>): boolean =>
  status === 'proved' || status === 'verified' || status === 'failed';

/** The domains from which an account sends mail. */
export const mailDomains = {
  ...records,

  show: showMailDomain,

  /** The label is the domain in Punycode, because similar characters of other scripts could deceive a reader. */
  describe: ({ domain }: Pick<StoredMailDomain, 'domain'>): Described => ({ label: domain }),

  listed: (account: AccountId): ListSource<MailDomain, StoredMailDomain> => ({
    ...records.listOf(account, []),
    show: async (page) => page.map(showMailDomain),
  }),

  /** Returns the account's domain with this name in Punycode, in any status. */
  async findNamed(account: AccountId, domain: string): Promise<StoredMailDomain | undefined> {
    const id = (await getItem(mailDomainNameKey(account, domain)))?.domainId;
    return typeof id === 'number' ? records.find(account, id) : undefined;
  },

  /** Reports whether an account may send from an address: it holds the domain, and SES has verified it. */
  async sendFrom(account: AccountId, address: string): Promise<boolean> {
    const found = await mailDomains.findNamed(account, address.slice(address.lastIndexOf('@') + 1));
    return found?.status === 'verified';
  },

  /** Throws `quota_exceeded` above 20 domains, and `mail_domain_exists` if the account has this domain. */
  insert: (domain: StoredMailDomain): Write[] => [
    ...records.insert(domain),
    putIfAbsent(
      {
        ...mailDomainNameKey(domain.accountId, domain.domain),
        type: 'mail-domain-name',
        domainId: domain.id,
      },
      new ApiError('mail_domain_exists'),
    ),
  ],

  /** The same as `replace`, for a domain that the request does not name. It is not compared with If-Match. */
  replaceOther: (before: StoredMailDomain, after: StoredMailDomain): Write[] =>
    records.replace(before, after).map((write) => {
      if (isCounterDelta(write)) return write;
      const { basedOn, ...unbound } = write;
      return unbound;
    }),

  delete: (domain: StoredMailDomain, now: Date): Write[] => [
    ...records.delete(domain, now),
    deleteItem(mailDomainNameKey(domain.accountId, domain.domain)),
    ...(isHeld(domain) ? [mailDomainHolders.release(domain)] : []),
  ],
};

/** The accounts in which mail domains are proved. */
export const mailDomainHolders = holdersOf('mail-domain-holder', mailDomainHolderAcrossAccountsKey);
