import { ApiError, notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { type Item, recordOf } from '../table/item.ts';
import { quotaKey } from '../table/keys.ts';
import {
  addToCounter,
  addWithinQuota,
  deleteIfVersion,
  deleteItem,
  putIfAbsent,
  putIfEquals,
  putIfVersion,
  putItem,
  type Write,
} from '../table/operations.ts';
import { getItem, queryItems } from '../table/read.ts';
import { holdersOf } from './holders.ts';
import {
  domainHolderAcrossAccountsKey,
  domainNameKey,
  domainProofKey,
  vanityDomainKey,
  vanityDomainPartition,
  vanityDomainRange,
} from './keys.ts';
import { type DomainProof, maxVanityDomains, type StoredVanityDomain } from './schema.ts';

export interface DomainWithProof {
  domain: StoredVanityDomain;
  proof: DomainProof;
}

/** The vanity domains of an account are in one small partition. A list reads the whole partition. */
export const vanityDomains = {
  subject: 'vanity_domain' as const,

  /** The label is the domain in Punycode, because similar characters of other scripts could deceive a reader. */
  describe: ({ domain }: Pick<StoredVanityDomain, 'domain'>) => ({ label: domain }),

  async find(account: AccountId, id: number): Promise<StoredVanityDomain | undefined> {
    const item = await getItem(vanityDomainKey(account, id));
    return item && recordOf<StoredVanityDomain>(item);
  },

  /** Reads the domain and its proof with one query. */
  async findWithProof(account: AccountId, id: number): Promise<DomainWithProof | undefined> {
    const sortKey = { from: vanityDomainKey(account, id).sk, to: domainProofKey(account, id).sk };
    return withProofs(await queryItems({ partition: vanityDomainPartition(account), sortKey }))[0];
  },

  /** Throws `not_found`. */
  async getWithProof(account: AccountId, id: number): Promise<DomainWithProof> {
    const found = await this.findWithProof(account, id);
    if (!found) throw notFound('vanity_domain', id);
    return found;
  },

  /** Newest first. */
  async all(account: AccountId): Promise<DomainWithProof[]> {
    const partition = vanityDomainPartition(account);
    return withProofs(await queryItems({ partition, sortKey: vanityDomainRange, newestFirst: true }));
  },

  /** Throws `quota_exceeded` above 10 domains, and `domain_exists` if the account has this domain. */
  insert: (domain: StoredVanityDomain): Write[] => [
    putIfAbsent(itemOf(domain)),
    putIfAbsent(
      { ...domainNameKey(domain.accountId, domain.domain), type: 'vanity-domain-name' },
      new ApiError('domain_exists'),
    ),
    addWithinQuota(quotaKey(domain.accountId, 'VANITYDOMAIN'), maxVanityDomains),
  ],

  replace: (before: StoredVanityDomain, after: StoredVanityDomain): Write[] =>
    before === after ? [] : [putIfVersion(itemOf(after), before.version)],

  /** The same as `replace`, for a domain that the request does not name. It is not compared with If-Match. */
  replaceOther: (before: StoredVanityDomain, after: StoredVanityDomain): Write[] =>
    before === after ? [] : [putIfEquals(itemOf(after), 'version', before.version)],

  putProof: ({ accountId, id }: StoredVanityDomain, proof: DomainProof): Write =>
    putItem({ ...domainProofKey(accountId, id), type: 'vanity-domain-proof', ...proof }),

  delete: (domain: StoredVanityDomain): Write[] => [
    deleteIfVersion(vanityDomainKey(domain.accountId, domain.id), domain.version),
    deleteItem(domainProofKey(domain.accountId, domain.id)),
    deleteItem(domainNameKey(domain.accountId, domain.domain)),
    addToCounter(quotaKey(domain.accountId, 'VANITYDOMAIN'), -1),
    ...(isHeld(domain) ? [domainHolders.release(domain)] : []),
  ],
};

/** A domain is held by its account from its validation to its deactivation or deletion. */
const isHeld = ({ status }: StoredVanityDomain): boolean => status === 'validated' || status === 'active';

/** The accounts in which domains are validated or active. */
export const domainHolders = holdersOf('vanity-domain-holder', domainHolderAcrossAccountsKey);

const itemOf = (domain: StoredVanityDomain): Item => ({
  ...vanityDomainKey(domain.accountId, domain.id),
  type: 'vanity_domain',
  ...domain,
});

function withProofs(items: readonly Item[]): DomainWithProof[] {
  const proofs = new Map(
    items
      .filter(({ type }) => type === 'vanity-domain-proof')
      .map((item) => [item.sk, recordOf<DomainProof>(item)]),
  );
  return items
    .filter(({ type }) => type === 'vanity_domain')
    .map((item) => recordOf<StoredVanityDomain>(item))
    .map((domain) => ({
      domain,
      proof: proofs.get(domainProofKey(domain.accountId, domain.id).sk) ?? {},
    }));
}
