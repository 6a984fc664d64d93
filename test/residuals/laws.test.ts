import fc from 'fast-check';
import { expect, test } from 'vitest';
import { negated } from '../../shared/residuals/amounts/exact.ts';
import { sumMicros } from '../../shared/residuals/amounts/micros.ts';
import { calculate } from '../../shared/residuals/runs/calculate.ts';
import type { CalculatedRow, ResidualLine } from '../../shared/residuals/runs/calculation.ts';
import { differences } from '../../shared/residuals/runs/differences.ts';
import type { Standing } from '../../shared/residuals/runs/month-sums.ts';
import type { StoredRun } from '../../shared/residuals/runs/store.ts';
import { newStatement, roundedLines } from '../../shared/residuals/statements/new-statement.ts';
import { roundMinor } from '../../shared/residuals/statements/round-lines.ts';
import { residualWorlds } from '../harness/heavy.ts';
import { naiveShares } from './naive-shares.ts';
import { type World, worlds } from './worlds.ts';

const sumOf = (lines: readonly { amount: number }[]) => sumMicros(lines.map(({ amount }) => amount));
const byBeneficiary = (lines: readonly ResidualLine[]) => {
  const groups = new Map<string, ResidualLine[]>();
  for (const line of lines) groups.set(line.beneficiary, [...(groups.get(line.beneficiary) ?? []), line]);
  return groups;
};

test('shares plus house are exactly the net amounts of the files', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { lines, house, shares, net, byBeneficiary: totals } = calculate(world);
      expect(sumOf(lines) + house).toBe(world.rows.reduce((sum, row) => sum + row.net, 0));
      expect(net - shares).toBe(house);
      expect(sumMicros(totals.values())).toBe(shares);
      for (const { amount } of lines) expect(Number.isSafeInteger(amount)).toBe(true);
    }),
  );
});

test('a second, naive implementation agrees on the shares of all beneficiaries', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const shares = Object.fromEntries(
        [...calculate(world).byBeneficiary].map(([name, amount]) => [name, BigInt(amount)] as const),
      );
      const naive = naiveShares(world);
      for (const name of new Set([...Object.keys(shares), ...Object.keys(naive)]))
        expect(shares[name] ?? 0n, name).toBe(naive[name] ?? 0n);
    }),
    { numRuns: residualWorlds },
  );
});

/** The same rows in another order, at other places of the file. */
const shuffled = (world: World): fc.Arbitrary<World> =>
  fc
    .shuffledSubarray(world.rows, { minLength: world.rows.length, maxLength: world.rows.length })
    .map((rows) => ({ ...world, rows: rows.map((row, n) => ({ ...row, place: n + 2 })) }));

/** The rounded lines of a statement as a sorted list of MID and amount. */
const roundedPairs = (lines: readonly ResidualLine[]): string[] =>
  roundedLines(lines, roundMinor(sumOf(lines), 'USD'), 'USD')
    .map((line) => JSON.stringify(['mid' in line ? line.mid : '', line.amount, line.minor]))
    .sort();

test('neither shares nor rounded lines depend on the order of the rows', () => {
  const pairs = worlds.chain((world) => shuffled(world).map((other) => [world, other] as const));
  fc.assert(
    fc.property(pairs, ([world, other]) => {
      const [one, two] = [byBeneficiary(calculate(world).lines), byBeneficiary(calculate(other).lines)];
      expect([...two.keys()].sort()).toEqual([...one.keys()].sort());
      for (const [name, lines] of one) expect(roundedPairs(two.get(name) ?? [])).toEqual(roundedPairs(lines));
    }),
  );
});

test('lines in cents are together the total, and each differs from its exact amount by less than a cent', () => {
  fc.assert(
    fc.property(worlds, fc.constantFrom('USD', 'JPY', 'BHD'), (world, currency) => {
      const unit = { USD: 10_000, JPY: 1_000_000, BHD: 1_000 }[currency];
      for (const lines of byBeneficiary(calculate(world).lines).values()) {
        const total = roundMinor(sumOf(lines), currency);
        expect(Math.abs(total * unit - sumOf(lines)) * 2).toBeLessThanOrEqual(unit);
        const rounded = roundedLines(lines, total, currency);
        expect(rounded.reduce((sum, { minor }) => sum + minor, 0)).toBe(total);
        for (const { minor, amount } of rounded) expect(Math.abs(minor * unit - amount)).toBeLessThan(unit);
      }
    }),
  );
});

const negatedRow = ({ volume, income, net, ...row }: CalculatedRow): CalculatedRow => ({
  ...row,
  net: negated(net),
  ...(volume !== undefined && { volume: negated(volume) }),
  ...(income !== undefined && { income: negated(income) }),
});

/** All amounts negated: those of the rows, and those for each transaction or MID in the agreements. */
function negatedWorld({ rows, agreements, ...rest }: World): World {
  const minus = (value: number | undefined) => (value === undefined ? undefined : negated(value));
  return {
    ...rest,
    rows: rows.map(negatedRow),
    agreements: agreements.map((agreement) => ({
      ...agreement,
      versions: agreement.versions.map((version) => ({
        ...version,
        share: { ...version.share, amountPerItem: minus(version.share.amountPerItem) },
        ...(version.costs && {
          costs: {
            ...version.costs,
            amountPerItem: minus(version.costs.amountPerItem),
            amountPerMid: minus(version.costs.amountPerMid),
          },
        }),
      })),
    })),
  };
}

test('negating all amounts negates all statements', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const [plus, minus] = [calculate(world), calculate(negatedWorld(world))];
      expect(minus.house).toBe(negated(plus.house));
      const [one, two] = [byBeneficiary(plus.lines), byBeneficiary(minus.lines)];
      expect([...two.keys()]).toEqual([...one.keys()]);
      for (const [name, lines] of one) {
        const rounded = roundedLines(lines, roundMinor(sumOf(lines), 'USD'), 'USD');
        const others = two.get(name) ?? [];
        const negative = roundedLines(others, roundMinor(sumOf(others), 'USD'), 'USD');
        expect(negative.map(({ minor }) => minor)).toEqual(rounded.map(({ minor }) => negated(minor)));
      }
    }),
  );
});

test('the overrides of a row are together at most its base', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const overrides = calculate(world).lines.filter(({ kind }) => kind === 'override');
      const rows = new Map<string, ResidualLine[]>();
      for (const line of overrides)
        rows.set(`${line.fileId} ${line.place}`, [...(rows.get(`${line.fileId} ${line.place}`) ?? []), line]);
      for (const lines of rows.values()) {
        const base = lines[0]?.base ?? 0;
        expect(Math.abs(sumOf(lines))).toBeLessThanOrEqual(Math.abs(base));
        for (const { amount } of lines) expect(amount * base).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test('the same file again changes nothing', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { lines } = calculate(world);
      const again = calculate({
        ...world,
        rows: world.rows.map((row) => ({ ...row, fileId: row.fileId + 10 })),
      });
      expect(differences(again.lines, lines)).toEqual([]);
    }),
  );
});

const run = { id: 5, accountId: 'acme', month: '2026-10' } as unknown as StoredRun;
const source = { id: 9, run, kind: 'posting', beneficiary: 'user:1', name: 'Ada', currency: 'USD' } as const;
const stamp = { postedAt: '2026-11-05T00:00:00.000Z', postedBy: 'ada@example.com' };
const start: Standing = {
  month: { version: 0, exact: 0, residuals: 0, minor: 0 },
  owed: { version: 0, balance: 0 },
};

/** The statements of one beneficiary after results that correct each other. */
function posted(results: readonly (readonly ResidualLine[])[]) {
  let standing = start;
  return results.map((after, n) => {
    const lines = differences(after, results[n - 1] ?? []);
    const made = newStatement({ ...source, ...stamp, lines }, standing);
    standing = { month: { version: n + 1, ...made.sums.month }, owed: { version: n + 1, ...made.sums.owed } };
    return made;
  });
}

/** The first beneficiary of a world receives these lines. */
const linesOf = (world: World, name: string) =>
  calculate(world).lines.filter((line) => line.beneficiary === name);

test('version 1 posted and then version 2 is version 2 alone, for exact amounts, cents and balances', () => {
  fc.assert(
    fc.property(worlds, worlds, fc.boolean(), (first, second, sameAgreements) => {
      const later = sameAgreements ? { ...second, agreements: first.agreements } : second;
      const names = new Set([
        ...calculate(first).byBeneficiary.keys(),
        ...calculate(later).byBeneficiary.keys(),
      ]);
      for (const name of names) {
        const [one, two] = [linesOf(first, name), linesOf(later, name)];
        const corrected = posted([one, two]);
        const [alone] = posted([two]);
        const last = corrected.at(-1);
        expect(last?.sums.month).toEqual(alone?.sums.month);
        expect(corrected.reduce((sum, { statement }) => sum + statement.total, 0)).toBe(
          alone?.statement.total,
        );
        for (const { statement, lines } of corrected) {
          expect(lines.reduce((sum, { minor }) => sum + minor, 0)).toBe(statement.total);
          expect(statement.payable + statement.balanceAfter).toBe(statement.balanceBefore + statement.total);
        }
        const paid = corrected.reduce((sum, { statement }) => sum + statement.payable, 0);
        expect(paid + (last?.statement.balanceAfter ?? 0)).toBe(alone?.statement.total);
      }
    }),
  );
});
