import { expect, test } from 'vitest';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import updateResidualAgreement from '../../functions/residual-agreements/update-residual-agreement.ts';
import readResidualAnomalies from '../../functions/residual-anomalies/read-residual-anomalies.ts';
import { readAnomalies } from '../../shared/residuals/anomalies/read-anomalies.ts';
import { mostAnomalies } from '../../shared/residuals/anomalies/schema.ts';
import { residualRows } from '../harness/heavy.ts';
import { member } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { agree, posted, userOf } from './posted.ts';
import { type RowOf, storedFile, units } from './stored-files.ts';

const anomaliesOf = ({ key }: Tenant, month = '2026-10') =>
  key.ok(readResidualAnomalies, { query: { month } });

/** An account with an agent who receives half of the net amounts of Northwind, and the posted rows of September. */
async function september(rows: readonly RowOf[]) {
  const acme = await tenant();
  const agent = await member(acme, ['readOwnResiduals']);
  const beneficiary = userOf(agent);
  const agreement = await agree(acme.key, { beneficiary, scope: { processor: 'Northwind' } });
  await storedFile({ account: acme.accountId, month: '2026-09', rows });
  await posted(acme.key, '2026-09');
  return { acme, account: acme.accountId, agreement, beneficiary };
}

const none = {
  rate_differs: 0,
  mid_missing: 0,
  volume_halved: 0,
  without_agreement: 0,
  paid_merchant_missing: 0,
  split_differs: 0,
};

test('a month like the month before, and a month without files, have no anomalies', async () => {
  const rows = [
    { mid: '1001', net: units(10), volume: units(1_000) },
    { mid: 'ab12', net: units(-3), volume: units(0) },
  ];
  const { acme, account } = await september(rows);
  // Without files, nothing has vanished: the processor has not reported the month yet.
  expect(await anomaliesOf(acme)).toMatchObject({ previousMonth: '2026-09', counts: none, anomalies: [] });
  const changed = [
    // The volume fell by less than half, in rows of two card types.
    { mid: '1001', net: units(4), volume: units(300) },
    { mid: '1001', net: units(4), volume: units(201) },
    { mid: 'AB12', net: units(3), volume: units(0) },
  ];
  await storedFile({ account, rows: changed });
  await posted(acme.key);
  expect(await anomaliesOf(acme)).toMatchObject({ counts: none, anomalies: [] });
  expect(await anomaliesOf(acme, '2027-01')).toMatchObject({ previousMonth: '2026-12', counts: none });
});

test('a volume of at most half, a vanished MID, and a MID without an agreement are anomalies', async () => {
  const { acme, account } = await september([
    { mid: '1001', dba: 'Harbor Street', net: units(10), volume: units(1_000) },
    { mid: '1002', net: units(30), volume: units(1_000) },
  ]);
  await storedFile({
    account,
    rows: [{ mid: '1001', dba: 'Harbor Street', net: units(5), volume: units(500) }],
  });
  await storedFile({ account, processor: 'Harbor', rows: [{ mid: '2001', net: units(50) }] });
  const { counts, anomalies } = await anomaliesOf(acme);
  expect(counts).toEqual({ ...none, volume_halved: 1, mid_missing: 1, without_agreement: 1 });
  expect(anomalies).toEqual([
    { kind: 'without_agreement', processor: 'Harbor', mid: '2001', net: units(50) },
    { kind: 'mid_missing', processor: 'Northwind', mid: '1002', previousNet: units(30) },
    {
      ...{ kind: 'volume_halved', processor: 'Northwind', mid: '1001', dba: 'Harbor Street' },
      ...{ net: units(5), previousNet: units(10), volume: units(500), previousVolume: units(1_000) },
    },
  ]);
});

test('a posted rate other than the one that is agreed now is an anomaly, until a run corrects it', async () => {
  const { acme, account, agreement, beneficiary } = await september([{ mid: '1001', net: units(10) }]);
  await storedFile({ account, rows: [{ mid: '1001', net: units(10) }] });
  await posted(acme.key);
  await acme.key.ok(updateResidualAgreement, {
    params: { id: agreement.id },
    body: { validFrom: '2026-10', share: { basisPoints: 6_000, of: 'net' } },
  });
  const { counts, anomalies } = await anomaliesOf(acme);
  expect(counts).toEqual({ ...none, rate_differs: 1 });
  expect(anomalies).toEqual([
    {
      ...{ kind: 'rate_differs', processor: 'Northwind', mid: '1001', beneficiary },
      ...{ agreedBasisPoints: 6_000, postedBasisPoints: 5_000 },
    },
  ]);
  expect((await anomaliesOf(acme, '2026-09')).counts).toEqual(none);
  await posted(acme.key);
  expect((await anomaliesOf(acme)).counts).toEqual(none);
});

test('a posted amount for each transaction, base or override other than the one that is agreed now is an anomaly', async () => {
  const acme = await tenant();
  const [agent, boss] = [userOf(await member(acme)), userOf(await member(acme))];
  const shares = [
    ['1001', { amountPerItem: 20_000 }, { amountPerItem: 30_000 }],
    ['1002', { amountPerItem: 20_000 }, { basisPoints: 500, of: 'income' }],
    ['1003', { basisPoints: 500, of: 'net' }, { basisPoints: 500, of: 'volume' }],
    ['1004', { basisPoints: 500, of: 'net' }, { basisPoints: 500, of: 'net' }],
  ] as const;
  const overrides = (basisPoints: number) => [{ beneficiary: boss, basisPoints }];
  const agreements: number[] = [];
  for (const [mid, share] of shares) {
    const input = {
      beneficiary: agent,
      scope: { mid },
      share,
      ...(mid === '1004' && { overrides: overrides(100) }),
    };
    agreements.push((await agree(acme.key, input)).id);
  }
  const amounts = { count: 10, volume: units(500), income: units(20), net: units(10) };
  await storedFile({ account: acme.accountId, rows: shares.map(([mid]) => ({ mid, ...amounts })) });
  await posted(acme.key);
  expect((await anomaliesOf(acme)).counts).toEqual(none);
  for (const [n, [mid, , share]] of shares.entries())
    await acme.key.ok(updateResidualAgreement, {
      params: { id: agreements[n] ?? 0 },
      body: { validFrom: '2026-10', share, ...(mid === '1004' && { overrides: overrides(200) }) },
    });
  const { anomalies } = await anomaliesOf(acme);
  const differing = { kind: 'rate_differs', processor: 'Northwind' };
  expect(anomalies.toSorted((one, other) => Number(one.mid) - Number(other.mid))).toEqual([
    {
      ...{ ...differing, mid: '1001', beneficiary: agent },
      ...{ agreedAmountPerItem: 30_000, postedAmountPerItem: 20_000 },
    },
    {
      ...{ ...differing, mid: '1002', beneficiary: agent, agreedBase: 'income', postedBase: 'items' },
      ...{ agreedBasisPoints: 500, postedAmountPerItem: 20_000 },
    },
    {
      ...{ ...differing, mid: '1003', beneficiary: agent, agreedBase: 'volume', postedBase: 'net' },
      ...{ agreedBasisPoints: 500, postedBasisPoints: 500 },
    },
    { ...differing, mid: '1004', beneficiary: boss, agreedBasisPoints: 200, postedBasisPoints: 100 },
  ]);
  await posted(acme.key);
  expect((await anomaliesOf(acme)).counts).toEqual(none);
});

test('a month with too much for one request is refused, and can be read for each processor', async () => {
  const { acme, account } = await september([{ mid: '1001', net: units(10) }]);
  await storedFile({ account, rows: [{ mid: '1001', net: units(10) }] });
  await storedFile({ account, processor: 'Harbor', rows: [{ mid: '2001', net: units(50) }] });
  const late = { account, deadline: Date.now() + 1_000 };
  const month = '2026-10';
  await expect(readAnomalies({ ...late, query: { month } })).rejects.toMatchObject({
    details: [
      {
        field: 'processor',
        message: expect.stringMatching(/^is required, because the month has too many rows/),
      },
    ],
  });
  await expect(readAnomalies({ ...late, query: { month, processor: 'Harbor' } })).rejects.toMatchObject({
    details: [{ field: 'month' }],
  });
  const counts = async (processor: string) =>
    (await acme.key.ok(readResidualAnomalies, { query: { month, processor } })).counts;
  expect(await counts('northwind')).toEqual(none);
  expect(await counts('Harbor')).toEqual({ ...none, without_agreement: 1 });
});

test('a merchant that was paid and is missing in all files is one anomaly, and a merchant with another MID is none', async () => {
  const { acme, account } = await september([
    { mid: '5001', net: units(10) },
    { mid: '5002', net: units(10) },
    { mid: '5003', net: units(10) },
  ]);
  const merchants: number[] = [];
  for (const numbers of [
    ['5001', '5002'],
    ['5003', '5004'],
  ]) {
    const { id } = await acme.key.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
    merchants.push(id);
    for (const mid of numbers) await acme.key.ok(createMid, { params: { merchantId: id }, body: { mid } });
  }
  await storedFile({ account, rows: [{ mid: '5004', net: units(10) }] });
  const { counts, anomalies } = await anomaliesOf(acme);
  expect(counts).toEqual({ ...none, mid_missing: 3, paid_merchant_missing: 1 });
  expect(anomalies.filter(({ kind }) => kind === 'paid_merchant_missing')).toEqual([
    {
      ...{ kind: 'paid_merchant_missing', processor: 'Northwind', mid: '5001' },
      ...{ merchantId: merchants[0], previousNet: units(10) },
    },
  ]);
});

test('a merchant whose split differs from the agreement that applies is an anomaly', async () => {
  const { acme, account, beneficiary } = await september([]);
  const boss = await member(acme, ['readOwnResiduals']);
  await agree(acme.key, {
    ...{ beneficiary, scope: { mid: '7003' }, share: { basisPoints: 3_333, of: 'net_after_costs' } },
    costs: { amountPerItem: 50_000 },
    overrides: [{ beneficiary: userOf(boss), basisPoints: 500 }],
  });
  await agree(acme.key, { beneficiary, scope: { mid: '7004' }, share: { basisPoints: 5, of: 'volume' } });
  const merchantWith = async (numbers: readonly string[], rates: readonly object[]) => {
    const body = { merchantName: 'Harbor Street', rates: rates as { effectiveDate: string }[] };
    const { id } = await acme.key.ok(createMerchant, { body });
    for (const mid of numbers) await acme.key.ok(createMid, { params: { merchantId: id }, body: { mid } });
    return id;
  };
  const differing = await merchantWith(
    ['7001', '7011'],
    [
      // The rate of the month counts, not the later one.
      { effectiveDate: '2026-11-01', agentSplit: 50, isoSplit: 50 },
      { effectiveDate: '2026-10-31', agentSplit: 40, isoSplit: 60 },
    ],
  );
  await merchantWith(
    ['7002'],
    [
      { effectiveDate: '2026-02-01', agentSplit: 50, isoSplit: 50 },
      { effectiveDate: '2026-01-01', agentSplit: 30 },
    ],
  );
  const withOverride = await merchantWith(
    ['7003'],
    [{ effectiveDate: '2026-01-01', agentSplit: 33.33, isoSplit: 66.67 }],
  );
  await merchantWith(['7004'], [{ effectiveDate: '2026-01-01', agentSplit: 50 }]);
  await merchantWith(['7005'], [{ effectiveDate: '2026-01-01', discountRate: 2.5 }]);
  const rows = ['7001', '7011', '7002', '7003', '7004', '7005'].map((mid, n) => ({
    mid,
    net: units(10 - n),
  }));
  await storedFile({ account, rows });
  const { counts, anomalies } = await anomaliesOf(acme);
  expect(counts).toEqual({ ...none, split_differs: 2 });
  expect(anomalies).toEqual([
    {
      ...{ kind: 'split_differs', processor: 'Northwind', mid: '7001', merchantId: differing },
      ...{ net: units(10), beneficiary, agreedBasisPoints: 5_000, houseBasisPoints: 5_000 },
      ...{ agentSplit: 40, isoSplit: 60 },
    },
    {
      // The override leaves less to the account.
      ...{ kind: 'split_differs', processor: 'Northwind', mid: '7003', merchantId: withOverride },
      ...{ net: units(7), beneficiary, agreedBasisPoints: 3_333, houseBasisPoints: 6_167 },
      ...{ agentSplit: 33.33, isoSplit: 66.67 },
    },
  ]);
});

test('a month in which everything differs has all counts, and a response below the limit of 6 MB', async () => {
  const rows = Array.from({ length: residualRows }, (_, n) => ({
    ...{ mid: `${4_445_000_000_000 + n}`.padStart(32, '4'), dba: 'Harbor Street Coffee & Bakery '.repeat(3) },
    ...{ net: units(n), volume: units(1_000) },
  }));
  const { acme, account } = await september(rows);
  const halved = rows.map((row) => ({ ...row, volume: units(400) }));
  await storedFile({ account, rows: halved });
  await storedFile({ account, processor: 'Harbor', rows: halved });
  const { counts, anomalies } = await anomaliesOf(acme);
  expect(counts).toEqual({ ...none, volume_halved: rows.length, without_agreement: rows.length });
  expect(anomalies).toHaveLength(Math.min(mostAnomalies, 2 * rows.length));
  expect(anomalies[0]).toMatchObject({ net: units(rows.length - 1) });
  const sizes = anomalies.map((anomaly) => Buffer.byteLength(JSON.stringify(anomaly)));
  expect(mostAnomalies * Math.max(...sizes)).toBeLessThan(5_000_000);
}, 300_000);
