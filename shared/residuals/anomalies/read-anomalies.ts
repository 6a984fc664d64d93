import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { merchants } from '../../sales/merchants/store.ts';
import { mids } from '../../sales/mids/store.ts';
import type { Static } from '../../schema.ts';
import { agreementFinder } from '../agreements/find-agreement.ts';
import { residualAgreements } from '../agreements/store.ts';
import { processorKey } from '../amounts/schema.ts';
import { residualFiles, residualRows } from '../files/store.ts';
import type { ResidualLine } from '../runs/calculation.ts';
import { residualBooks, runResults } from '../runs/store.ts';
import { differingRate } from './differing-rate.ts';
import { type Split, splitIn } from './differing-split.ts';
import { addRows, findAnomalies, type MidMonths, mayMissMerchants } from './find-anomalies.ts';
import {
  type AnomaliesQuery,
  type AnomalyKind,
  anomalyKinds,
  mostAnomalies,
  type ResidualAnomalies,
  type ResidualAnomaly,
} from './schema.ts';

/** Returns the month before a month. */
function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

/** The most rows of both months that a request compares. A file has at most 200,000 rows. */
const mostRows = 500_000;
/** No further rows and lines are read in the last milliseconds of a request. */
const margin = 3_000;

interface AnomaliesRequest {
  account: AccountId;
  query: Static<typeof AnomaliesQuery>;
  deadline: number;
}

/** Counts what a request reads. Throws `invalid_input` if it is too much for one request. */
class Reading {
  #rows = 0;
  readonly #processor: string | undefined;
  readonly #until: number;

  constructor({ query, deadline }: AnomaliesRequest) {
    this.#processor = query.processor && processorKey(query.processor);
    this.#until = deadline - margin;
  }

  /** Reports whether the request is about a processor. */
  isAbout(processor: string): boolean {
    return this.#processor === undefined || this.#processor === processorKey(processor);
  }

  count(rows: number): void {
    this.#rows += rows;
    if (this.#rows > mostRows || Date.now() >= this.#until)
      throw this.#processor === undefined
        ? invalid('processor', 'is required, because the month has too many rows for one request')
        : invalid('month', 'has too many rows for one request');
  }
}

/** Compares the files of a month with those of the month before, and its posted shares with the agreements. */
export async function readAnomalies(request: AnomaliesRequest): Promise<ResidualAnomalies> {
  const { account, query } = request;
  const { month } = query;
  const previousMonth = monthBefore(month);
  const reading = new Reading(request);
  const [{ agreements }, now, before] = await Promise.all([
    residualAgreements.all(account),
    readSums(account, month, reading),
    readSums(account, previousMonth, reading),
  ]);
  const owners = await readOwners(account, [now, before], reading);
  const find = agreementFinder(agreements, month);
  const ids = new Set([...now.values()].flatMap(({ merchantId }) => merchantId ?? []));
  const [splits, rates, paid] = await Promise.all([
    readSplits(account, month, [...ids]),
    readDifferingRates(account, month, { find, owners, reading }),
    mayMissMerchants({ now, before }) ? readPaidMids(account, previousMonth, reading) : new Set<string>(),
  ]);
  const all = [...rates, ...findAnomalies({ now, before, splits, agreementOf: find, paid })];
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

/** Reads the rows of the latest file of each processor, and keeps only the sums of each MID. */
async function readSums(account: AccountId, month: string, reading: Reading): Promise<MidMonths> {
  const sums: MidMonths = new Map();
  for (const { processor, fileId } of await residualFiles.latestOf(account, month)) {
    if (!reading.isAbout(processor)) continue;
    for await (const rows of residualRows.read({ accountId: account, id: fileId })) {
      reading.count(rows.length);
      addRows(sums, processor, rows);
    }
  }
  return sums;
}

/** Yields the posted lines of a month, those of one beneficiary at a time. */
async function* postedLines(
  account: AccountId,
  month: string,
  reading: Reading,
): AsyncGenerator<ResidualLine[]> {
  const { posted } = await residualBooks.of(account, month);
  for (const [processor, id] of Object.entries(posted)) {
    if (!reading.isAbout(processor)) continue;
    for (const { beneficiary } of await runResults.totalsOf({ accountId: account, id }, processor)) {
      reading.count(0);
      yield await runResults.linesOf({ accountId: account, id }, processor, beneficiary);
    }
  }
}

/** Returns the MIDs with posted shares of a month. */
async function readPaidMids(account: AccountId, month: string, reading: Reading): Promise<Set<string>> {
  const paid = new Set<string>();
  for await (const lines of postedLines(account, month, reading))
    for (const { mid } of lines) paid.add(mid.toUpperCase());
  return paid;
}

/** The MIDs whose merchants are looked up together. */
const midsAtOnce = 1_000;

/** Adds the merchants to the sums of their MIDs. Returns the merchant of each MID. */
async function readOwners(
  account: AccountId,
  months: readonly MidMonths[],
  reading: Reading,
): Promise<ReadonlyMap<string, number>> {
  const numbers = [...new Set(months.flatMap((sums) => [...sums.values()].map(({ mid }) => mid)))];
  const owners = new Map<string, number>();
  for (let from = 0; from < numbers.length; from += midsAtOnce) {
    reading.count(0);
    for (const [id, own] of await mids.ownersOf(account, numbers.slice(from, from + midsAtOnce)))
      for (const mid of own) owners.set(mid, id);
  }
  for (const sums of months)
    for (const sum of sums.values()) {
      const merchantId = owners.get(sum.mid.toUpperCase());
      if (merchantId !== undefined) sum.merchantId = merchantId;
    }
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

interface RateSources {
  find: ReturnType<typeof agreementFinder>;
  owners: ReadonlyMap<string, number>;
  reading: Reading;
}

/** Returns the posted shares whose rate is not the one of the agreement that applies now, one for each MID and beneficiary. */
async function readDifferingRates(
  account: AccountId,
  month: string,
  { find, owners, reading }: RateSources,
): Promise<ResidualAnomaly[]> {
  const anomalies = new Map<string, ResidualAnomaly>();
  for await (const lines of postedLines(account, month, reading))
    for (const line of lines) {
      const { kind, mid, processor, dba, beneficiary } = line;
      const key = `${processor}/${mid}/${beneficiary}`;
      const merchantId = owners.get(mid.toUpperCase());
      const found = find({ mid, processor, ...(merchantId !== undefined && { merchantId }) });
      if (kind === 'limit' || !found || anomalies.has(key)) continue;
      const difference = differingRate(line, found);
      if (!difference) continue;
      anomalies.set(key, {
        ...{ kind: 'rate_differs', processor, mid },
        ...(dba !== undefined && { dba }),
        ...(merchantId !== undefined && { merchantId }),
        ...difference,
      });
    }
  return [...anomalies.values()];
}
