import type { FoundAgreement } from '../agreements/find-agreement.ts';
import type { Micros } from '../amounts/micros.ts';
import { processorKey } from '../amounts/schema.ts';
import type { ResidualRow } from '../files/residual-row.ts';
import { differingSplit, type Split } from './differing-split.ts';
import type { ResidualAnomaly } from './schema.ts';

/** The sums of a MID at a processor in a month. */
interface MidMonth {
  processor: string;
  mid: string;
  dba?: string;
  merchantId?: number;
  net: Micros;
  volume?: Micros;
}

/** The sums of all MIDs of a month, by processor and MID. */
export type MidMonths = Map<string, MidMonth>;

/** What the anomalies of a month depend on. */
interface ComparedMonths {
  now: MidMonths;
  before: MidMonths;
  /** Returns the agreement that applies to a MID in the month. */
  agreementOf(of: Pick<MidMonth, 'processor' | 'mid' | 'merchantId'>): FoundAgreement | undefined;
  /** The splits of merchants in the month, by the merchant's id. */
  splits: ReadonlyMap<number, Split>;
  /** The MIDs with posted shares of the previous month. */
  paid: ReadonlySet<string>;
}

const midKey = (mid: string): string => mid.toUpperCase();
const keyOf = ({ processor, mid }: Pick<MidMonth, 'processor' | 'mid'>): string =>
  `${processorKey(processor)}/${midKey(mid)}`;

/** Adds rows to the sums of their MIDs, because a file can have a row for each card type. */
export function addRows(sums: MidMonths, processor: string, rows: readonly ResidualRow[]): void {
  for (const { mid, dba, net, volume } of rows) {
    const key = keyOf({ processor, mid });
    const sum = sums.get(key) ?? { processor, mid, net: 0 };
    sum.net += net;
    if (dba !== undefined) sum.dba ??= dba;
    if (volume !== undefined) sum.volume = (sum.volume ?? 0) + volume;
    sums.set(key, sum);
  }
}

/** Reports whether a merchant could have vanished, so that the paid MIDs of the previous month are needed. */
export const mayMissMerchants = ({ now, before }: Pick<ComparedMonths, 'now' | 'before'>): boolean =>
  now.size > 0 && [...before].some(([key, { merchantId }]) => merchantId !== undefined && !now.has(key));

/** Finds what differs from the previous month, the MIDs without an agreement, and the splits that differ from agreements. */
export function findAnomalies(compared: ComparedMonths): ResidualAnomaly[] {
  const { now, before, agreementOf, splits, paid } = compared;
  const rows = [...now.values()];
  const processors = new Set(rows.map(({ processor }) => processorKey(processor)));
  const merchants = new Set(rows.flatMap(({ merchantId }) => merchantId ?? []));
  const reported = new Set<number>();
  const found: ResidualAnomaly[] = [];
  for (const [key, old] of before) {
    const { processor, mid, dba, merchantId, net: previousNet, volume: previousVolume } = old;
    const one = { processor, mid, ...(dba !== undefined && { dba }), ...(merchantId && { merchantId }) };
    const current = now.get(key);
    if (!current) {
      if (processors.has(processorKey(processor))) found.push({ kind: 'mid_missing', ...one, previousNet });
      const isPaid = merchantId !== undefined && paid.has(midKey(mid)) && now.size > 0;
      if (!isPaid || merchants.has(merchantId) || reported.has(merchantId)) continue;
      reported.add(merchantId);
      found.push({ kind: 'paid_merchant_missing', ...one, previousNet });
    } else if (isHalved(current.volume, previousVolume)) {
      const { net, volume } = current;
      found.push({ kind: 'volume_halved', ...one, net, previousNet, volume, previousVolume });
    }
  }
  const differing = new Set<string>();
  for (const { processor, mid, dba, merchantId, net } of rows) {
    const one = { processor, mid, net, ...(dba !== undefined && { dba }), ...(merchantId && { merchantId }) };
    const applied = agreementOf({ processor, mid, merchantId });
    if (!applied) {
      found.push({ kind: 'without_agreement', ...one });
      continue;
    }
    // A merchant with several MIDs has one anomaly for each agreement.
    const key = `${merchantId}/${applied.agreement.id}`;
    const difference = differingSplit(splits.get(merchantId ?? 0), applied);
    if (!difference || differing.has(key)) continue;
    differing.add(key);
    found.push({ kind: 'split_differs', ...one, ...difference });
  }
  return found;
}

/** Reports whether a volume fell to at most half. */
const isHalved = (volume: Micros | undefined, previous: Micros | undefined): boolean =>
  volume !== undefined && previous !== undefined && previous > 0 && volume <= previous / 2;
