import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import { checkAgainstOthers, checkTerms } from '../../shared/residuals/agreements/check-terms.ts';
import { type Applying, cycleWith } from '../../shared/residuals/agreements/terms.ts';
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

/** The parts of a share and of five levels above, often together 100 % or a little more. */
const partsNearAll = fc
  .tuple(fc.array(fc.nat(10_000), { minLength: 5, maxLength: 5 }), fc.constantFrom(-1, 0, 0, 0, 1))
  .map(([cuts, more]) => {
    const sorted = [0, ...cuts.sort((one, other) => one - other), 10_000 + more];
    return sorted.slice(1).map((cut, n) => Math.max(0, cut - (sorted[n] ?? 0)));
  });

test('terms above 100 % are refused, and all parts of a row are together at most its base', () => {
  const input = fc.record({
    parts: partsNearAll,
    of: fc.constantFrom('net' as const, 'income' as const, 'volume' as const),
    tier: fc.option(fc.constantFrom(0, 1, 5_000, 10_000), { nil: undefined }),
    amounts: fc.array(fc.integer({ min: -2_000_000_000_000, max: 2_000_000_000_000 }), { minLength: 1 }),
  });
  let accepted = 0;
  fc.assert(
    fc.property(input, ({ parts: [own = 0, ...above], of, tier, amounts }) => {
      const terms = {
        ...{ validFrom: '2026-01', share: { basisPoints: own, of } },
        overrides: above.map((basisPoints, n) => ({
          ...{ beneficiary: { type: 'user' as const, id: `${n + 2}` }, basisPoints },
        })),
        ...(tier !== undefined && {
          tiers: { by: 'net' as const, steps: [{ from: 1, basisPoints: tier }] },
        }),
      };
      const sum = above.reduce((all, one) => all + one, 0) + (of === 'volume' ? 0 : Math.max(own, tier ?? 0));
      const check = () => checkTerms({}, terms);
      if (sum > 10_000) {
        expect(check).toThrow(ApiError);
        return;
      }
      check();
      accepted++;
      const version = { ...terms, version: 1, createdAt: '', createdBy: '' };
      const agreements = [
        { id: 1, scope: {}, beneficiary: { type: 'user' as const, id: '1' }, versions: [version] },
      ];
      const rows = amounts.map((net, n) => ({
        ...{ processor: 'Northwind', fileId: 1, place: n + 2, mid: `${n}`, net, income: net, volume: net },
      }));
      const { lines } = calculate({ month: '2026-10', rows, agreements });
      for (const { place, net } of rows) {
        const own = lines.filter((line) => line.place === place && (of !== 'volume' || line.level > 0));
        expect(Math.abs(sumOf(own))).toBeLessThanOrEqual(Math.abs(net));
        for (const { amount } of own) expect(amount * net).toBeGreaterThanOrEqual(0);
      }
    }),
  );
  expect(accepted).toBeGreaterThan(10);
});

const months = ['2026-01', '2026-02', '2026-03', '2026-04'];
const person = fc.nat(5).map((id) => ({ type: 'user' as const, id: `${id}` }));
/** Agreements of six people with up to three levels above, in versions that begin and end in four months. */
const chains: fc.Arbitrary<Applying[]> = fc
  .array(
    fc.record({
      beneficiary: person,
      versions: fc.array(
        fc.record({
          overrides: fc.array(person, { maxLength: 3 }),
          validFrom: fc.constantFrom(...months),
          validTo: fc.option(fc.constantFrom(...months), { nil: undefined }),
          shareAfterEnd: fc.option(fc.constant(100), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) =>
    all.map(({ beneficiary, versions }, n) => ({
      ...{ id: n + 1, scope: { mid: `${n}` }, beneficiary },
      versions: versions
        .map(({ overrides, ...one }) => ({
          ...{
            version: 1,
            share: { basisPoints: 100, of: 'net' as const },
            createdAt: '',
            createdBy: '',
            ...one,
          },
          overrides: overrides.map((above) => ({ beneficiary: above, basisPoints: 1 })),
        }))
        .sort((one, other) => (one.validFrom < other.validFrom ? -1 : 1)),
    })),
  );

/** The pairs of a beneficiary and the one directly above in a month, as `below above`. */
const pairsIn = (all: readonly Applying[], month: string): Set<string> =>
  new Set(
    all.flatMap(({ beneficiary, versions }) => {
      const terms = versions.filter(({ validFrom }) => validFrom <= month).at(-1);
      if (!terms || (terms.validTo !== undefined && month > terms.validTo)) return [];
      const chain = [beneficiary.id, ...(terms.overrides ?? []).map((above) => above.beneficiary.id)];
      return chain.slice(1).map((above, n) => `${chain[n]} ${above}`);
    }),
  );

/** Reports whether somebody is above themselves, by all pairs that follow from others. */
function hasCycle(pairs: ReadonlySet<string>): boolean {
  const all = new Set(pairs);
  for (let size = 0; size < all.size; ) {
    size = all.size;
    const known = [...all].map((pair) => pair.split(' '));
    for (const [below, middle] of known)
      for (const [of, above] of known) if (middle === of) all.add(`${below} ${above}`);
  }
  return [...all].some((pair) => pair.split(' ')[0] === pair.split(' ')[1]);
}

test('a cycle of overrides is found in each month that has one, and only then', () => {
  const found = { cycles: 0, others: 0 };
  fc.assert(
    fc.property(chains, (all) => {
      const [one] = all;
      if (!one) return;
      const cycle = cycleWith(one, all.slice(1))?.map((name) => name.replace('user:', ''));
      const expected = months.filter((month) => hasCycle(pairsIn(all, month)));
      expect(cycle !== undefined).toBe(expected.length > 0);
      found[cycle ? 'cycles' : 'others']++;
      if (!cycle) {
        checkAgainstOthers(one, all.slice(1));
        return;
      }
      expect(() => checkAgainstOthers(one, all.slice(1))).toThrow(ApiError);
      expect(cycle.at(-1)).toBe(cycle[0]);
      const steps = cycle.slice(1).map((above, n) => `${cycle[n]} ${above}`);
      expect(expected.some((month) => steps.every((step) => pairsIn(all, month).has(step)))).toBe(true);
    }),
    { numRuns: 300 },
  );
  expect(Math.min(found.cycles, found.others)).toBeGreaterThan(20);
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
