import { agreementFinder, type FoundAgreement } from '../agreements/find-agreement.ts';
import type { AgreementVersion } from '../agreements/schema.ts';
import type { Applying } from '../agreements/terms.ts';
import { beneficiaryKey } from '../amounts/beneficiary.ts';
import { partOf, pointsOf } from '../amounts/exact.ts';
import { addMicros, type Micros, sumMicros } from '../amounts/micros.ts';
import { processorKey } from '../amounts/schema.ts';
import type { Arithmetic, CalculatedRow, Calculation, ResidualLine, Transfer } from './calculation.ts';
import { limitLine } from './limit-amounts.ts';
import { divideByTransfers } from './transfers.ts';

interface Input {
  /** `2026-10`. */
  month: string;
  rows: readonly CalculatedRow[];
  agreements: readonly Applying[];
  transfers?: readonly Transfer[];
}

/** A row with its agreement. */
interface Agreed {
  row: CalculatedRow;
  found: FoundAgreement;
}

/**
 * Calculates the shares in the rows of a month. All amounts are exact integers, and parts of a millionth remain with the
 * house. The result does not depend on the order of rows, agreements and transfers. Totals for tiers, minimum and cap are
 * those of one processor, so that each processor can be calculated alone. Throws `AmountTooLarge`.
 */
export function calculate({ month, rows, agreements, transfers = [] }: Input): Calculation {
  const find = agreementFinder(agreements, month);
  const agreed: Agreed[] = [];
  for (const row of [...rows].sort(byPlace)) {
    const found = find(row);
    if (found) agreed.push({ row, found });
  }
  const totals = tierTotals(agreed);
  const groups = groupsOf(agreed);
  let withoutBase = 0;
  const lines: ResidualLine[] = [];
  for (const group of groups.values()) {
    const largest = largestOf(group);
    const own = group.map(({ row, found }) => shareLine(row, found, { bearsCosts: row === largest, totals }));
    withoutBase += group.filter(({ row, found }) => lacksBase(row, found)).length;
    const limited = limitLine(own, group[0]?.found);
    lines.push(
      ...divideByTransfers([...own, ...limited], { month, transfers }),
      ...group.flatMap(({ row, found }) => overrideLines(row, found, row === largest)),
    );
  }
  return {
    ...summed(lines.sort(byPosition), rows),
    rows: rows.length,
    withoutAgreement: rows.length - agreed.length,
    withoutBase,
  };
}

const byPlace = (one: CalculatedRow, other: CalculatedRow): number =>
  compare(processorKey(one.processor), processorKey(other.processor)) ||
  one.fileId - other.fileId ||
  one.place - other.place;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const kinds: readonly ResidualLine['kind'][] = ['share', 'limit', 'override'];

/** The order of lines: by beneficiary, MID, processor and place. No two lines of a calculation are equal in it. */
export const byPosition = (one: ResidualLine, other: ResidualLine): number =>
  compare(one.beneficiary, other.beneficiary) ||
  compare(one.mid, other.mid) ||
  compare(one.processor, other.processor) ||
  one.place - other.place ||
  one.level - other.level ||
  kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
  one.agreementId - other.agreementId ||
  (one.days?.from ?? 0) - (other.days?.from ?? 0) ||
  Number(one.takenBack ?? false) - Number(other.takenBack ?? false) ||
  one.amount - other.amount;

function summed(lines: ResidualLine[], rows: readonly CalculatedRow[]) {
  const net = sumMicros(rows.map((row) => row.net));
  const byBeneficiary = new Map<string, Micros>();
  for (const { beneficiary, amount } of lines)
    byBeneficiary.set(beneficiary, addMicros(byBeneficiary.get(beneficiary) ?? 0, amount));
  const shares = sumMicros(byBeneficiary.values());
  return { lines, net, shares, house: addMicros(net, -shares), byBeneficiary };
}

/** The rows of one MID under one agreement, at one processor. */
function groupsOf(agreed: readonly Agreed[]): Map<string, Agreed[]> {
  const groups = new Map<string, Agreed[]>();
  for (const one of agreed) {
    const { row, found } = one;
    const name = `${found.agreement.id} ${processorKey(row.processor)} ${row.mid.toUpperCase()}`;
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}

/** Returns the row from which the costs for each MID are subtracted. It does not depend on the order of the rows. */
function largestOf(group: readonly Agreed[]): CalculatedRow | undefined {
  const sizes = ({ net, volume = 0, income = 0, count = 0 }: CalculatedRow) =>
    [net, volume, income, count].map(Math.abs);
  const larger = (one: CalculatedRow, other: CalculatedRow): boolean => {
    const [own, others] = [sizes(one), sizes(other)];
    const at = own.findIndex((size, n) => size !== others[n]);
    return at >= 0 && (own[at] ?? 0) > (others[at] ?? 0);
  };
  const rows = group.map(({ row }) => row);
  return rows.reduce((largest, row) => (larger(row, largest) ? row : largest), rows[0] as CalculatedRow);
}

const tierName = (row: CalculatedRow, { agreement }: FoundAgreement): string =>
  `${agreement.id} ${processorKey(row.processor)}`;

/** The totals by which the tiers of agreements are selected, for each processor. */
function tierTotals(agreed: readonly Agreed[]): Map<string, Micros> {
  const totals = new Map<string, Micros>();
  for (const { row, found } of agreed) {
    const { tiers } = found.terms;
    if (!tiers) continue;
    const name = tierName(row, found);
    totals.set(name, addMicros(totals.get(name) ?? 0, row[tiers.by] ?? 0));
  }
  return totals;
}

/** The base of a share: an amount of the row. */
function baseOf(
  row: CalculatedRow,
  terms: AgreementVersion,
  bearsCosts: boolean,
): Pick<Arithmetic, 'base' | 'of' | 'costs'> {
  const of = terms.share.of ?? 'net';
  if (of !== 'net_after_costs') return { base: row[of] ?? 0, of };
  const { amountPerItem = 0, basisPointsOfVolume = 0, amountPerMid = 0 } = terms.costs ?? {};
  const costs = sumMicros([
    partOf(row.count ?? 0, amountPerItem, 1),
    pointsOf(row.volume ?? 0, basisPointsOfVolume),
    bearsCosts ? amountPerMid : 0,
  ]);
  return { base: addMicros(row.net, -costs), of, costs };
}

const needed = { net: [], income: ['income'], volume: ['volume'], net_after_costs: [] } as const;

/** Reports whether the file does not contain an amount on which the share of the row is based. */
function lacksBase(row: CalculatedRow, { terms: { share, costs } }: FoundAgreement): boolean {
  const fields: ('count' | 'volume' | 'income')[] = [...needed[share.of ?? 'net']];
  if (share.amountPerItem !== undefined || costs?.amountPerItem) fields.push('count');
  if (costs?.basisPointsOfVolume) fields.push('volume');
  return fields.some((field) => row[field] === undefined);
}

/** Returns the basis points of a share: those of the tier that the size of the total reaches. */
function tierOf({ share, tiers }: AgreementVersion, total: Micros): number {
  const step = tiers?.steps.findLast(({ from }) => Math.abs(total) >= from);
  return step?.basisPoints ?? share.basisPoints ?? 0;
}

function shareLine(
  row: CalculatedRow,
  found: FoundAgreement,
  { bearsCosts, totals }: { bearsCosts: boolean; totals: ReadonlyMap<string, Micros> },
): ResidualLine {
  const { agreement, terms, hasEnded } = found;
  const line = {
    ...lineOf(row, found),
    kind: 'share' as const,
    beneficiary: beneficiaryKey(agreement.beneficiary),
    level: 0,
  };
  const { amountPerItem } = terms.share;
  const after = hasEnded ? (terms.shareAfterEnd ?? 0) : undefined;
  if (amountPerItem !== undefined) {
    const count = row.count ?? 0;
    const base = partOf(count, amountPerItem, 1);
    const arithmetic = { base, of: 'items' as const, count, amountPerItem };
    if (after === undefined) return { ...line, ...arithmetic, amount: base };
    return { ...line, ...arithmetic, basisPoints: after, hasEnded: true, amount: pointsOf(base, after) };
  }
  const based = baseOf(row, terms, bearsCosts);
  if (after !== undefined)
    return { ...line, ...based, basisPoints: after, hasEnded: true, amount: pointsOf(based.base, after) };
  const tierTotal = terms.tiers && (totals.get(tierName(row, found)) ?? 0);
  const basisPoints = tierOf(terms, tierTotal ?? 0);
  return {
    ...line,
    ...based,
    basisPoints,
    ...(tierTotal !== undefined && { tierTotal }),
    amount: pointsOf(based.base, basisPoints),
  };
}

/** Returns the lines of the levels above. After the end of an agreement, there are none. */
function overrideLines(row: CalculatedRow, found: FoundAgreement, bearsCosts: boolean): ResidualLine[] {
  const { terms, hasEnded } = found;
  if (hasEnded) return [];
  return (terms.overrides ?? []).map(({ beneficiary, basisPoints }, n) => {
    const based = baseOf(row, terms, bearsCosts);
    return {
      ...lineOf(row, found),
      kind: 'override',
      beneficiary: beneficiaryKey(beneficiary),
      level: n + 1,
      ...based,
      basisPoints,
      amount: pointsOf(based.base, basisPoints),
    };
  });
}

const lineOf = (
  { mid, dba, processor, fileId, place }: CalculatedRow,
  { agreement, terms }: FoundAgreement,
) => ({
  ...{ mid, ...(dba !== undefined && { dba }), processor, fileId, place },
  ...{ agreementId: agreement.id, agreementVersion: terms.version },
});
