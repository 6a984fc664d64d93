import fc from 'fast-check';
import type { AgreementVersion } from '../../shared/residuals/agreements/schema.ts';
import type { Applying } from '../../shared/residuals/agreements/terms.ts';
import type { CalculatedRow, Transfer } from '../../shared/residuals/runs/calculation.ts';

/** A random month: rows of one or two processors, agreements without conflicts, and transfers. */
export interface World {
  month: string;
  rows: CalculatedRow[];
  agreements: Applying[];
  transfers: Transfer[];
}

const mids = ['1001', '1002', '1003', '1004', '1005'];
const people = ['1', '2', '3', '4', '5', '6', '7', '8'];
const processors = ['Northwind', 'Harbor'];
const month = '2026-10';

const amount = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.integer({ min: -3_000_000_000, max: 9_000_000_000 }),
  // Products with basis points exceed 2^53.
  fc.integer({ min: -2_000_000_000_000, max: 2_000_000_000_000 }),
);
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const seldom = <T>(of: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, { arbitrary: of, weight: 1 });

const rowOf = fc.record({
  mid: fc.constantFrom(...mids),
  processor: fc.constantFrom(...processors),
  count: optional(fc.integer({ min: 0, max: 400 })),
  volume: optional(amount),
  income: optional(amount),
  net: amount,
});

const rowsOf = fc.array(rowOf, { maxLength: 14 }).map((rows) =>
  rows.map(
    (row, n): CalculatedRow => ({
      ...row,
      fileId: row.processor === 'Harbor' ? 2 : 1,
      place: n + 2,
      merchantId: Number(row.mid) < 1003 ? 7 : 8,
    }),
  ),
);

const points = (max: number) => fc.integer({ min: 0, max });
const user = fc.constantFrom(...people).map((id) => ({ type: 'user' as const, id }));

const termsOf = fc
  .record({
    basisPoints: points(8_000),
    of: fc.constantFrom('net', 'income', 'volume', 'net_after_costs'),
    amountPerItem: seldom(fc.integer({ min: 0, max: 90_000 })),
    overrides: fc.uniqueArray(fc.record({ id: fc.constantFrom(...people), basisPoints: points(400) }), {
      maxLength: 5,
      selector: ({ id }) => id,
    }),
    costs: fc.record(
      {
        amountPerItem: fc.integer({ min: 0, max: 90_000 }),
        basisPointsOfVolume: points(60),
        amountPerMid: fc.integer({ min: 0, max: 9_000_000 }),
      },
      { requiredKeys: [] },
    ),
    minimum: optional(fc.integer({ min: 0, max: 30_000_000 })),
    cap: optional(fc.integer({ min: 30_000_000, max: 900_000_000 })),
    tiers: optional(
      fc.record({
        by: fc.constantFrom('volume', 'income', 'net'),
        from: fc.integer({ min: 1, max: 9_000_000_000 }),
        basisPoints: points(8_000),
      }),
    ),
    end: seldom(
      fc.record({
        validTo: fc.constantFrom('2026-08', '2026-09', '2026-10'),
        shareAfterEnd: optional(points(2_000)),
      }),
    ),
  })
  .map(({ basisPoints, of, amountPerItem, overrides, costs, tiers, end, ...limits }) => ({
    share: amountPerItem === undefined ? { basisPoints, of } : { amountPerItem },
    overrides: overrides.map((one) => ({
      beneficiary: { type: 'user' as const, id: one.id },
      basisPoints: one.basisPoints,
    })),
    ...(of === 'net_after_costs' && amountPerItem === undefined && { costs }),
    ...(tiers &&
      amountPerItem === undefined && {
        tiers: { by: tiers.by, steps: [{ from: tiers.from, basisPoints: tiers.basisPoints }] },
      }),
    ...limits,
    ...end,
  }));

const scopes = [
  {},
  ...processors.map((processor) => ({ processor })),
  ...[7, 8].map((merchantId) => ({ merchantId })),
  ...mids.map((mid) => ({ mid })),
];

const agreementsOf = fc
  .uniqueArray(fc.record({ scope: fc.nat(scopes.length - 1), beneficiary: user, terms: termsOf }), {
    maxLength: 6,
    selector: ({ scope }) => scope,
  })
  .map((all) =>
    all.map(({ scope, beneficiary, terms }, n): Applying => {
      const version = { version: 1, validFrom: '2026-05', ...terms, createdAt: '', createdBy: '' };
      return { id: n + 1, scope: scopes[scope] ?? {}, beneficiary, versions: [version as AgreementVersion] };
    }),
  );

const transfersOf = fc
  .array(
    fc.record({
      mid: fc.constantFrom(...mids),
      from: user,
      to: user,
      date: fc
        .integer({ min: 0, max: 60 })
        .map((days) => new Date(Date.UTC(2026, 8, 1) + days * 86_400_000).toISOString().slice(0, 10)),
      by: fc.constantFrom('day' as const, 'month' as const),
    }),
    { maxLength: 4 },
  )
  .map((all) =>
    all.map(
      (one, n): Transfer => ({ ...one, id: n + 1, from: `user:${one.from.id}`, to: `user:${one.to.id}` }),
    ),
  );

export const worlds: fc.Arbitrary<World> = fc
  .record({ rows: rowsOf, agreements: agreementsOf, transfers: transfersOf })
  .map((world) => ({ month, ...world }));
