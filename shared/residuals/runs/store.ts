import { busy } from '../../errors.ts';
import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { putAll } from '../../table/batch-write.ts';
import { recordOf } from '../../table/item.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';
import { putIfAbsent, putIfEquals, type Write } from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import type { AdjustmentLine } from '../adjustments/adjust.ts';
import { inParts, packed, unpacked } from '../amounts/pack-lines.ts';
import { processorKey } from '../amounts/schema.ts';
import type { ResidualLine } from './calculation.ts';
import type { ResidualRun, RunPart } from './schema.ts';

/** A run as stored. */
export interface StoredRun extends ResidualRun {
  /** The principal that started the run: `user:1234` or `key:1234`. */
  startedBy: string;
  /** The files of the run, with the posted runs that it corrects. The calculation replaces them by `parts`. */
  planned: Pick<RunPart, 'processor' | 'fileId' | 'fileVersion' | 'previousRunId'>[];
  /** The versions of the adjustments from which lines were made, by id. */
  adjusted?: Record<string, number>;
  /** The statements of the posted run. */
  statementIds?: number[];
  /** What a stopped run was doing, and the ids of its statements, some of which exist. */
  stopped?: { during: 'posting' | 'reversing'; statementIds?: number[] };
}

export const residualRuns = {
  ...recordStore<StoredRun, 'residual_run'>({ resource: 'residual_run' }),

  describe: ({ month, processors }: StoredRun): Described => ({ label: `${month} ${processors.join(', ')}` }),

  show: ({ startedBy, planned, adjusted, statementIds, stopped, ...shown }: StoredRun): ResidualRun => shown,
};

/** Which runs are posted for a month. */
export interface Book {
  version: number;
  /** The posted run of each processor, by the compared form of its name. */
  posted: Record<string, number>;
  /** The run that is being posted or reversed. */
  busyWith?: number;
}

/**
 * The name of the book about advances. The months of an account recover the same advances, so that runs with advances are
 * posted and reversed one after the other.
 */
export const advancesBook = 'advances';

const bookKey = (account: AccountId, month: string): Key => ({
  pk: tenantPartition(account, 'RESIDUALBOOK'),
  sk: month,
});

export const residualBooks = {
  async of(account: AccountId, month: string): Promise<Book> {
    const item = await getItem(bookKey(account, month));
    return item ? recordOf<Book>(item) : { version: 0, posted: {} };
  },

  /** Replaces the book of a month. Fails with a conflict if it has changed. */
  replace(account: AccountId, month: string, before: Book, after: Omit<Book, 'version'>): Write {
    const item = {
      ...bookKey(account, month),
      type: 'residual-book',
      ...after,
      version: before.version + 1,
    };
    return before.version === 0 ? putIfAbsent(item) : putIfEquals(item, 'version', before.version);
  },
};

/** The share of a beneficiary in the file of one processor. */
export interface BeneficiaryTotal {
  beneficiary: string;
  name: string;
  amount: number;
  lines: number;
}

const resultPartition = (account: AccountId, runId: number): string =>
  tenantPartition(account, 'RESIDUALRESULT', digits(runId));

const linesPosition = (processor: string, beneficiary: string): string =>
  `LINES#${processorKey(processor)}#${beneficiary}#`;
const totalsPosition = (processor: string): string => `TOTALS#${processorKey(processor)}`;
const adjustmentsPosition = 'ADJUSTMENTS';

type RunOf = Pick<StoredRun, 'accountId' | 'id'>;

/** The results of runs. They are written before the run can be approved, and never change afterwards. */
export const runResults = {
  /** Stores the result for one processor. `lines` are sorted by beneficiary. A repeated call changes nothing. */
  async put(
    { accountId, id }: RunOf,
    processor: string,
    lines: readonly ResidualLine[],
    totals: readonly BeneficiaryTotal[],
  ): Promise<void> {
    const pk = resultPartition(accountId, id);
    let from = 0;
    const items = totals.flatMap(({ beneficiary, lines: count }) => {
      const own = lines.slice(from, from + count);
      from += count;
      return inParts(own).map((part, n) => ({
        ...{ pk, sk: `${linesPosition(processor, beneficiary)}${digits(n)}` },
        ...{ type: 'residual-result', packed: packed(part) },
      }));
    });
    const all = { pk, sk: totalsPosition(processor), type: 'residual-result', packed: packed(totals) };
    if ((await putAll([...items, all])).length > 0) throw busy('UnprocessedItems');
  },

  async linesOf({ accountId, id }: RunOf, processor: string, beneficiary: string): Promise<ResidualLine[]> {
    const from = linesPosition(processor, beneficiary);
    const items = await queryItems({
      partition: resultPartition(accountId, id),
      sortKey: { from, to: `${from}~` },
    });
    return items.flatMap((item) => unpacked<ResidualLine>(item.packed));
  },

  async totalsOf({ accountId, id }: RunOf, processor: string): Promise<BeneficiaryTotal[]> {
    const item = await getItem({ pk: resultPartition(accountId, id), sk: totalsPosition(processor) });
    return item ? unpacked<BeneficiaryTotal>(item.packed) : [];
  },

  async putAdjustments({ accountId, id }: RunOf, lines: readonly NamedAdjustment[]): Promise<void> {
    const pk = resultPartition(accountId, id);
    const items = inParts(lines).map((part, n) => ({
      ...{ pk, sk: `${adjustmentsPosition}#${digits(n)}`, type: 'residual-result', packed: packed(part) },
    }));
    if ((await putAll(items)).length > 0) throw busy('UnprocessedItems');
  },

  async adjustmentsOf({ accountId, id }: RunOf): Promise<NamedAdjustment[]> {
    const items = await queryItems({
      partition: resultPartition(accountId, id),
      sortKey: { from: `${adjustmentsPosition}#`, to: `${adjustmentsPosition}#~` },
    });
    return items.flatMap((item) => unpacked<NamedAdjustment>(item.packed));
  },
};

/** A line of an adjustment, with the name of its beneficiary. */
export type NamedAdjustment = AdjustmentLine & { name: string };
