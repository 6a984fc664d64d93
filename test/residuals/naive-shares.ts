import type { AgreementVersion } from '../../shared/residuals/agreements/schema.ts';
import type { Applying } from '../../shared/residuals/agreements/terms.ts';
import { beneficiaryKey } from '../../shared/residuals/amounts/beneficiary.ts';
import type { CalculatedRow } from '../../shared/residuals/runs/calculation.ts';
import type { World } from './worlds.ts';

type Sums = Record<string, bigint>;

const cut = (amount: bigint, points: number): bigint => (amount * BigInt(points)) / 10_000n;
const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
const big = (value: number | undefined): bigint => BigInt(value ?? 0);

/**
 * A second implementation of the shares of a month, as a reader of the documentation would write it: row by row, with
 * BigInt throughout, and without any code of the product's calculation. Returns the share of each beneficiary.
 */
export function naiveShares({ month, rows, agreements, transfers }: World): Sums {
  const sums: Sums = {};
  const pay = (name: string, amount: bigint) => {
    sums[name] = (sums[name] ?? 0n) + amount;
  };
  const withAgreement = rows.flatMap((row) => {
    const found = bestOf(row, agreements, month);
    return found ? [{ row, ...found }] : [];
  });
  const names = new Set(
    withAgreement.map(({ row, agreement }) => `${agreement.id}|${row.processor}|${row.mid}`),
  );
  for (const name of names) {
    const group = withAgreement.filter(
      ({ row, agreement }) => `${agreement.id}|${row.processor}|${row.mid}` === name,
    );
    const [first] = group;
    if (!first) continue;
    const { agreement, terms, ended } = first;
    const bases = basesOf(
      group.map(({ row }) => row),
      terms,
    );
    const points = ended ? (terms.shareAfterEnd ?? 0) : pointsFor(first, withAgreement);
    const own = group.map(({ row }, n) => {
      const perItem = terms.share.amountPerItem;
      if (perItem === undefined) return cut(bases[n] ?? 0n, points);
      const whole = big(row.count) * big(perItem);
      return ended ? cut(whole, points) : whole;
    });
    const sum = own.reduce((all, one) => all + one, 0n);
    const ofBases = group.reduce(
      (all, { row }, n) =>
        all +
        (terms.share.amountPerItem === undefined
          ? (bases[n] ?? 0n)
          : big(row.count) * big(terms.share.amountPerItem)),
      0n,
    );
    const paid = [...own, limitedSum(sum, ofBases, terms, ended) - sum];
    for (const amount of paid)
      for (const [holder, part] of partsOf(beneficiaryKey(agreement.beneficiary), first.row.mid, amount, {
        month,
        transfers,
      }))
        pay(holder, part);
    if (!ended)
      for (const base of bases)
        for (const { beneficiary, basisPoints } of terms.overrides ?? [])
          pay(beneficiaryKey(beneficiary), cut(base, basisPoints));
  }
  return sums;
}

interface Found {
  agreement: Applying;
  terms: AgreementVersion;
  ended: boolean;
}

function bestOf(row: CalculatedRow, agreements: readonly Applying[], month: string): Found | undefined {
  const ranks = [
    ({ scope }: Applying) => scope.mid === row.mid,
    ({ scope }: Applying) => scope.merchantId !== undefined && scope.merchantId === row.merchantId,
    ({ scope }: Applying) => scope.processor === row.processor,
    ({ scope }: Applying) => Object.keys(scope).length === 0,
  ];
  for (const fits of ranks)
    for (const agreement of agreements) {
      const terms = [...agreement.versions].reverse().find(({ validFrom }) => validFrom <= month);
      if (!terms || !fits(agreement)) continue;
      const ended = terms.validTo !== undefined && terms.validTo < month;
      if (!ended || terms.shareAfterEnd !== undefined) return { agreement, terms, ended };
    }
  return undefined;
}

function basesOf(rows: readonly CalculatedRow[], terms: AgreementVersion): bigint[] {
  const of = terms.share.of ?? 'net';
  if (of !== 'net_after_costs') return rows.map((row) => big(row[of]));
  const { amountPerItem, basisPointsOfVolume = 0, amountPerMid } = terms.costs ?? {};
  const rank = ({ net, volume = 0, income = 0, count = 0, place }: CalculatedRow) =>
    [Math.abs(net), Math.abs(volume), Math.abs(income), Math.abs(count), -place] as const;
  const largest = [...rows].sort((one, other) => {
    const [own, others] = [rank(one), rank(other)];
    const at = own.findIndex((value, n) => value !== others[n]);
    return at < 0 ? 0 : (others[at] ?? 0) - (own[at] ?? 0);
  })[0];
  return rows.map(
    (row) =>
      big(row.net) -
      big(row.count) * big(amountPerItem) -
      cut(big(row.volume), basisPointsOfVolume) -
      (row === largest ? big(amountPerMid) : 0n),
  );
}

function pointsFor(
  found: Found & { row: CalculatedRow },
  all: readonly (Found & { row: CalculatedRow })[],
): number {
  const { agreement, terms, row } = found;
  const { tiers, share } = terms;
  if (!tiers) return share.basisPoints ?? 0;
  const total = all
    .filter((one) => one.agreement === agreement && one.row.processor === row.processor)
    .reduce((sum, one) => sum + big(one.row[tiers.by]), 0n);
  const reached = tiers.steps.filter(({ from }) => size(total) >= big(from));
  return reached.at(-1)?.basisPoints ?? share.basisPoints ?? 0;
}

function limitedSum(
  sum: bigint,
  ofBases: bigint,
  { minimum, cap }: AgreementVersion,
  ended: boolean,
): bigint {
  const isNegative = sum < 0n || (sum === 0n && ofBases < 0n);
  if (sum === 0n && ofBases === 0n) return 0n;
  let wanted = size(sum);
  if (!ended && minimum !== undefined && wanted < big(minimum)) wanted = big(minimum);
  if (cap !== undefined && wanted > big(cap)) wanted = big(cap);
  return isNegative ? -wanted : wanted;
}

/** Divides an amount day by day: each day belongs to the holder of that day. */
function partsOf(
  first: string,
  mid: string,
  amount: bigint,
  { month, transfers }: Pick<World, 'month' | 'transfers'>,
): Map<string, bigint> {
  const days = Number(
    new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(8, 10),
  );
  const about = transfers
    .filter((one) => one.mid === mid && one.date.slice(0, 7) <= month)
    .sort((one, other) => one.date.localeCompare(other.date) || one.id - other.id);
  const holders: string[] = Array.from({ length: days }, () => first);
  let [holder, since] = [first, 1];
  for (const { from, to, date, by } of about) {
    if (from !== holder) continue;
    holder = to;
    if (date >= month && by === 'day') since = Number(date.slice(8));
    holders.fill(holder, since - 1);
  }
  const parts = new Map<string, bigint>();
  for (const [day, name] of holders.entries()) {
    const part = (amount * BigInt(day + 1)) / BigInt(days) - (amount * BigInt(day)) / BigInt(days);
    parts.set(name, (parts.get(name) ?? 0n) + part);
  }
  return parts;
}
