import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';
import { deleteItem, putItem, type Write } from '../../table/operations.ts';
import { queryItems } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import type { Adjustment } from './schema.ts';

const records = recordStore<Adjustment, 'residual_adjustment'>({ resource: 'residual_adjustment' });

/**
 * The partition with copies of the adjustments that runs read: those that are not on a statement yet, transfers, and
 * advances. One strongly consistent query returns them.
 */
const openPartition = (account: AccountId): string => tenantPartition(account, 'RESIDUALOPEN');
const openKey = ({ accountId, id }: Pick<Adjustment, 'accountId' | 'id'>): Key => ({
  pk: openPartition(accountId),
  sk: digits(id),
});

const mattersToRuns = ({ kind, state }: Adjustment): boolean =>
  kind === 'transfer' || kind === 'advance' || state === 'open';

const copyWrite = (adjustment: Adjustment): Write =>
  mattersToRuns(adjustment)
    ? putItem({ ...openKey(adjustment), type: 'residual-open-adjustment', adjustment })
    : deleteItem(openKey(adjustment));

/** The adjustments of an account. */
export const residualAdjustments = {
  ...records,

  describe: ({ kind, month }: Adjustment): Described => ({ label: `${kind} ${month}` }),

  insert: (adjustment: Adjustment): Write[] => [...records.insert(adjustment), copyWrite(adjustment)],

  replace: (before: Adjustment, after: Adjustment): Write[] =>
    before === after ? [] : [...records.replace(before, after), copyWrite(after)],

  delete: (adjustment: Adjustment, now: Date): Write[] => [
    ...records.delete(adjustment, now),
    deleteItem(openKey(adjustment)),
  ],

  /** Returns the adjustments that runs read, oldest first. */
  async open(account: AccountId): Promise<Adjustment[]> {
    const items = await queryItems({ partition: openPartition(account) });
    return items.map((item) => recordOf<{ adjustment: Adjustment }>(item).adjustment);
  },
};
