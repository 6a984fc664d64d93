import { ApiError, notFound } from '../../errors.ts';
import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';
import { deleteItem, putIfAbsent, type Write } from '../../table/operations.ts';
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

  /** Returns the MIDs with these numbers, in any case. Omits unknown numbers. */
  async findNumbered(account: AccountId, numbers: readonly string[]): Promise<Mid[]> {
    const items = await getItems(numbers.map((mid) => keyOf({ accountId: account, mid })));
    return records.findMany(
      account,
      items.flatMap((item) => (typeof item?.midId === 'number' ? [item.midId] : [])),
    );
  },

  listIn: (account: AccountId, merchantId: number) => records.listOf(account, scopeOf(merchantId)),

  /** Throws `mid_taken` if another MID has the number, and `quota_exceeded` if the merchant has 50 MIDs. */
  insert: (mid: Mid): Write[] => [...records.insert(mid), take(mid)],

  replace: (before: Mid, after: Mid): Write[] =>
    before === after
      ? []
      : [
          ...records.replace(before, after),
          ...(keyOf(before).pk === keyOf(after).pk ? [] : [take(after), deleteItem(keyOf(before))]),
        ],

  delete: (mid: Mid, now: Date): Write[] => [...records.delete(mid, now), deleteItem(keyOf(mid))],

  /** Fails the transaction with `otherwise` if the merchant has MIDs. */
  noneOf: (account: AccountId, merchantId: number, otherwise: ApiError): Write =>
    requireEmptyScope('MID', account, scopeOf(merchantId), otherwise),
};

/** The item that reserves a number in the account. Numbers that differ only in case are treated as equal. */
const keyOf = ({ accountId, mid }: Pick<Mid, 'accountId' | 'mid'>): Key => ({
  pk: tenantPartition(accountId, 'MIDNUMBER', mid.toUpperCase()),
  sk: 'MIDNUMBER',
});

const take = (mid: Mid): Write =>
  putIfAbsent({ ...keyOf(mid), type: 'mid-number', midId: mid.id }, new ApiError('mid_taken'));
