import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';
import type { ListSource } from '../../table/list-source.ts';
import { deleteItem, putIfAbsent, type Write } from '../../table/operations.ts';
import { type IdLookup, recordStore } from '../../table/record-store.ts';
import { scopedBy } from '../../table/scope.ts';
import { serviceMailDomain } from '../threads/service-mail-domain.ts';
import { inboundAddress, type MailToken } from '../threads/thread-token.ts';
import { type MailAddress, maxMailAddresses, type StoredMailAddress } from './schema.ts';

const records = recordStore<StoredMailAddress, 'mail_address'>({
  resource: 'mail_address',
  scope: scopedBy(() => [], maxMailAddresses),
});

/** The addresses to which the customers of an account write. */
export const mailAddresses = {
  ...records,

  describe: ({ address }: Pick<StoredMailAddress, 'address'>): Described => ({ label: address }),

  show: ({ inboundSecret, ...address }: StoredMailAddress): MailAddress => ({
    ...address,
    ...(serviceMailDomain() !== undefined && {
      inboundAddress: inboundAddress(address.accountId, address.id, inboundSecret),
    }),
  }),

  /** Returns all addresses of an account, newest first. */
  all: (account: AccountId): Promise<StoredMailAddress[]> => records.newest(account, maxMailAddresses, []),

  listed: (account: AccountId): ListSource<MailAddress, StoredMailAddress> => ({
    ...records.listOf(account, []),
    show: async (page) => page.map(mailAddresses.show),
  }),

  /**
   * Looks up the address to which an inbound address belongs. `retired` if it was deleted. The secret of a deleted address is
   * not stored any more, but nobody can guess its id. Neither if the secret is wrong.
   */
  async lookUpInbound({
    account,
    addressId,
    secret,
  }: MailToken & { kind: 'inbound' }): Promise<IdLookup<StoredMailAddress>> {
    const found = await records.lookUp(account, addressId);
    const isWrong = found.record && !isEqual(found.record.inboundSecret, secret);
    return isWrong ? { retired: false } : found;
  },

  /** Throws `mail_address_exists` if the account has this address, and `quota_exceeded` above 100 addresses. */
  insert: (address: StoredMailAddress): Write[] => [
    ...records.insert(address),
    putIfAbsent(
      { ...nameKey(address.accountId, address.address), type: 'mail-address-name' },
      new ApiError('mail_address_exists'),
    ),
  ],

  delete: (address: StoredMailAddress, now: Date): Write[] => [
    ...records.delete(address, now),
    deleteItem(nameKey(address.accountId, address.address)),
  ],
};

/** The key of the marker of an address. It contains a hash, because an address may contain `#`. */
const nameKey = (account: AccountId, address: string): Key => ({
  pk: tenantPartition(
    account,
    'MAILADDRESSNAME',
    createHash('sha256').update(address.toLowerCase()).digest('base64url'),
  ),
  sk: 'NAME',
});

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
