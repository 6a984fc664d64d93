import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { putIfAbsent, putIfVersion, putItem, type Write } from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { payoutNumbersKey, traceKey, tracePartition, tracePosition } from './keys.ts';

/** The numbers that the NACHA files of an account have taken. */
export interface PayoutNumbers {
  version: number;
  /** The last seven digits of the last trace number. */
  lastTrace: number;
  /** The local day of the last file, and the files of that day. */
  day: string;
  files: number;
}

/** The marks that distinguish the files of a day. */
const modifiers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const largestTrace = 9_999_999;

/** Returns the numbers that were taken; undefined before the first NACHA file. */
export async function takenPayoutNumbers(account: AccountId): Promise<PayoutNumbers | undefined> {
  const item = await getItem(payoutNumbersKey(account));
  return item && recordOf<PayoutNumbers>(item);
}

interface NewFile {
  account: AccountId;
  payoutId: number;
  /** The local day of the creation. */
  day: string;
  odfiRoutingNumber: string;
  /** The number of its payments. */
  payments: number;
}

/**
 * Returns the mark of a new file and its trace numbers, and the writes that take them. They are part of the transaction that
 * creates the payout. Of concurrent transactions, one commits, and the others must read the numbers again. The trace numbers of
 * an account increase from file to file, so that a return names one payment of one payout. After 9,999,999 payments, they
 * begin again. Throws `invalid_input` above 36 files a day.
 */
export function takePayoutNumbers(
  taken: PayoutNumbers | undefined,
  { account, payoutId, day, odfiRoutingNumber, payments }: NewFile,
): { modifier: string; traces: string[]; writes: Write[] } {
  const files = taken?.day === day ? taken.files + 1 : 1;
  const modifier = modifiers[files - 1];
  if (modifier === undefined)
    throw invalid('format', `cannot be nacha for more than ${modifiers.length} payouts a day`);
  const last = taken?.lastTrace ?? 0;
  const before = last + payments > largestTrace ? 0 : last;
  const traces = Array.from(
    { length: payments },
    (_, index) => `${odfiRoutingNumber.slice(0, 8)}${String(before + index + 1).padStart(7, '0')}`,
  );
  const numbers: PayoutNumbers = {
    version: (taken?.version ?? 0) + 1,
    lastTrace: before + payments,
    day,
    files,
  };
  const item: Item = { ...payoutNumbersKey(account), type: 'payout-numbers', ...numbers };
  const first = traceKey(account, traces[0] ?? '');
  return {
    modifier,
    traces,
    writes: [
      taken ? putIfVersion(item, taken.version) : putIfAbsent(item),
      putItem({ ...first, type: 'payout-trace', payoutId }),
    ],
  };
}

/** Returns the id of the payout that may contain the entry with a trace number. */
export async function payoutOfTrace(account: AccountId, trace: string): Promise<number | undefined> {
  const [found] = await queryItems({
    partition: tracePartition(account),
    sortKey: { from: tracePosition(''), to: tracePosition(trace) },
    newestFirst: true,
    limit: 1,
  });
  return typeof found?.payoutId === 'number' ? found.payoutId : undefined;
}
