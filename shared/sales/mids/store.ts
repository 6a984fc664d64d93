import { createHash } from 'node:crypto';
import { ApiError, notFound } from '../../errors.ts';
import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';
import { deleteItem, putIfAbsent, putItem, type Write } from '../../table/operations.ts';
import { getItems } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { requireEmptyScope, scopedBy } from '../../table/scope.ts';
import { type Mid, maxMids } from './schema.ts';

const scopeOf = (merchantId: number) => [String(merchantId)];

const records = recordStore<Mid, 'mid'>({
  resource: 'mid',
  scope: scopedBy(({ merchantId }) => scopeOf(merchantId), maxMids),
});

/** The MIDs of merchants. A separate item for each number ensures that the number is unique in the account. */
export const mids = {
  ...records,

  describe: ({ mid, merchantId }: Mid): Described => ({
    label: mid,
    parent: { type: 'merchant', id: merchantId },
  }),

  /** Like `get`, but also throws `not_found` if the MID belongs to another merchant. */
  async getOf(account: AccountId, merchantId: number, midId: number): Promise<Mid> {
    const mid = await records.get(account, midId);
    if (mid.merchantId !== merchantId) throw notFound(records.subject, midId);
    return mid;
  },

  /** Returns the ids of the merchants that have MIDs with these numbers, in any case, with the numbers of each. */
  async ownersOf(account: AccountId, numbers: readonly string[]): Promise<ReadonlyMap<number, string[]>> {
    const distinct = [...new Set(numbers.map((number) => number.toUpperCase()))];
    const items = await getItems(distinct.map((mid) => keyOf({ accountId: account, mid })));
    const owners = new Map<number, string[]>();
    for (const [n, item] of items.entries()) {
      const id = item?.merchantId;
      if (typeof id === 'number') owners.set(id, [...(owners.get(id) ?? []), distinct[n] ?? '']);
    }
    return owners;
  },

  listIn: (account: AccountId, merchantId: number) => records.listOf(account, scopeOf(merchantId)),

  /** Throws `mid_taken` if another MID has the number, and `quota_exceeded` if the merchant has 50 MIDs. */
  insert: (mid: Mid): Write[] => [...records.insert(mid), take(mid)],

  replace(before: Mid, after: Mid): Write[] {
    if (before === after) return [];
    const writes = records.replace(before, after);
    if (keyOf(before).pk !== keyOf(after).pk) return [...writes, take(after), deleteItem(keyOf(before))];
    return before.merchantId === after.merchantId ? writes : [...writes, putItem(numberItem(after))];
  },

  delete: (mid: Mid, now: Date): Write[] => [...records.delete(mid, now), deleteItem(keyOf(mid))],

  /** Fails the transaction with `otherwise` if the merchant has MIDs. */
  noneOf: (account: AccountId, merchantId: number, otherwise: ApiError): Write =>
    requireEmptyScope('MID', account, scopeOf(merchantId), otherwise),
};

/**
 * The key of the item that reserves a number in the account. Numbers that differ only in case are treated as equal. The key
 * contains a hash, because searches look up any words as numbers, and a word can be a sensitive value.
 */
const keyOf = ({ accountId, mid }: Pick<Mid, 'accountId' | 'mid'>): Key => ({
  pk: tenantPartition(accountId, 'MIDNUMBER', sha256(mid.toUpperCase())),
  sk: 'MIDNUMBER',
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

const numberItem = (mid: Mid) => ({
  ...keyOf(mid),
  type: 'mid-number',
  merchantId: mid.merchantId,
});

const take = (mid: Mid): Write => putIfAbsent(numberItem(mid), new ApiError('mid_taken'));
