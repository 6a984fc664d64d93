import type { AccountId } from '../../id/account-id.ts';
import { merchants } from '../../sales/merchants/store.ts';
import { mids } from '../../sales/mids/store.ts';
import { agreementFinder } from '../agreements/find-agreement.ts';
import { residualAgreements, type StoredAgreement } from '../agreements/store.ts';
import { beneficiaryIn } from '../amounts/beneficiary.ts';
import { residualFiles } from '../files/store.ts';
import { readCalculatedRows } from '../runs/calculate-run.ts';
import type { CalculatedRow, ResidualLine } from '../runs/calculation.ts';
import { residualBooks, runResults } from '../runs/store.ts';
import { type Split, splitIn } from './differing-split.ts';
import { findAnomalies } from './find-anomalies.ts';
import {
  type AnomalyKind,
  anomalyKinds,
  mostAnomalies,
  type ResidualAnomalies,
  type ResidualAnomaly,
} from './schema.ts';

/** Returns the month before a month. */
export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

/** Compares the files of a month with those of the month before, and its posted shares with the agreements. */
export async function readAnomalies(account: AccountId, month: string): Promise<ResidualAnomalies> {
  const previousMonth = monthBefore(month);
  const { agreements } = await residualAgreements.all(account);
  const [rows, previous, posted, paid] = await Promise.all([
    readMonthRows(account, month),
    readMonthRows(account, previousMonth),
    readPosted(account, month),
    readPosted(account, previousMonth),
  ]);
  const owners = await readOwners(account, [...rows, ...previous]);
  const owned = (some: readonly CalculatedRow[]) =>
    some.map((row) => ({ ...row, merchantId: owners.get(row.mid.toUpperCase()) }));
  const current = owned(rows);
  const ids = new Set(current.flatMap(({ merchantId }) => merchantId ?? []));
  const splits = await readSplits(account, month, [...ids]);
  const all = [
    ...differingRates(posted, agreements, month, owners),
    ...findAnomalies({
      ...{
        rows: current,
        previous: owned(previous),
        splits,
        agreementOf: agreementFinder(agreements, month),
      },
      paid: new Set(paid.map(({ mid }) => mid.toUpperCase())),
    }),
  ];
  const size = ({ net = 0, previousNet = 0 }: ResidualAnomaly) =>
    Math.max(Math.abs(net), Math.abs(previousNet));
  const countOf = (kind: AnomalyKind) => all.filter((one) => one.kind === kind).length;
  return {
    ...{ month, previousMonth },
    counts: Object.fromEntries(
      anomalyKinds.map((kind) => [kind, countOf(kind)]),
    ) as ResidualAnomalies['counts'],
    anomalies: all.toSorted((one, other) => size(other) - size(one)).slice(0, mostAnomalies),
  };
}

/** Reads the rows of the latest file of each processor, without the merchants of the MIDs. */
async function readMonthRows(account: AccountId, month: string): Promise<CalculatedRow[]> {
  const rows: CalculatedRow[] = [];
  for (const file of await residualFiles.latestOf(account, month))
    for (const row of await readCalculatedRows(account, file, [])) rows.push(row);
  return rows;
}

/** Reads the posted lines of a month. */
async function readPosted(account: AccountId, month: string): Promise<ResidualLine[]> {
  const { posted } = await residualBooks.of(account, month);
  const lines: ResidualLine[][] = [];
  for (const [processor, id] of Object.entries(posted))
    for (const { beneficiary } of await runResults.totalsOf({ accountId: account, id }, processor))
      lines.push(await runResults.linesOf({ accountId: account, id }, processor, beneficiary));
  return lines.flat();
}

/** The MIDs whose merchants are looked up together. */
const midsAtOnce = 1_000;

async function readOwners(
  account: AccountId,
  rows: readonly CalculatedRow[],
): Promise<ReadonlyMap<string, number>> {
  const numbers = [...new Set(rows.map(({ mid }) => mid))];
  const owners = new Map<string, number>();
  for (let from = 0; from < numbers.length; from += midsAtOnce)
    for (const [id, own] of await mids.ownersOf(account, numbers.slice(from, from + midsAtOnce)))
      for (const mid of own) owners.set(mid, id);
  return owners;
}

/** The merchants that are read together. */
const merchantsAtOnce = 500;

/** Reads the splits that merchants have in a month. */
async function readSplits(
  account: AccountId,
  month: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Split>> {
  const splits = new Map<number, Split>();
  for (let from = 0; from < ids.length; from += merchantsAtOnce)
    for (const { id, rates } of await merchants.findMany(account, ids.slice(from, from + merchantsAtOnce))) {
      const split = splitIn(rates, month);
      if (split) splits.set(id, split);
    }
  return splits;
}

/** Returns the posted shares whose rate is not the one of the agreement that applies now. Tiers depend on totals. */
function differingRates(
  lines: readonly ResidualLine[],
  agreements: readonly StoredAgreement[],
  month: string,
  owners: ReadonlyMap<string, number>,
): ResidualAnomaly[] {
  const find = agreementFinder(agreements, month);
  const seen = new Set<string>();
  return lines.flatMap(({ kind, level, mid, processor, dba, beneficiary, basisPoints }) => {
    const merchantId = owners.get(mid.toUpperCase());
    const found = find({ mid, processor, merchantId });
    const key = `${processor}/${mid}/${beneficiary}`;
    if (kind !== 'share' || level !== 0 || !found || found.terms.tiers || seen.has(key)) return [];
    const agreed = found.hasEnded ? found.terms.shareAfterEnd : found.terms.share.basisPoints;
    if (basisPoints === undefined || agreed === undefined || agreed === basisPoints) return [];
    seen.add(key);
    return [
      {
        ...{ kind: 'rate_differs' as const, processor, mid, beneficiary: beneficiaryIn(beneficiary) },
        ...(dba !== undefined && { dba }),
        ...(merchantId !== undefined && { merchantId }),
        ...{ agreedBasisPoints: agreed, postedBasisPoints: basisPoints },
      },
    ];
  });
}
