import { expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createResidualAdjustment from '../../functions/residual-adjustments/create-adjustment.ts';
import deleteResidualAdjustment from '../../functions/residual-adjustments/delete-adjustment.ts';
import readResidualAdjustment from '../../functions/residual-adjustments/read-residual-adjustment.ts';
import updateResidualAgreement from '../../functions/residual-agreements/update-residual-agreement.ts';
import createPayout from '../../functions/residual-payouts/create-payout.ts';
import savePayoutAccount from '../../functions/residual-payouts/save-payout-account.ts';
import approveResidualRun from '../../functions/residual-runs/approve-residual-run.ts';
import createResidualRun from '../../functions/residual-runs/create-residual-run.ts';
import listResidualRunBeneficiaries from '../../functions/residual-runs/list-residual-run-beneficiaries.ts';
import listResidualRuns from '../../functions/residual-runs/list-residual-runs.ts';
import postResidualRun from '../../functions/residual-runs/post-residual-run.ts';
import readResidualRun from '../../functions/residual-runs/read-residual-run.ts';
import reverseResidualRun from '../../functions/residual-runs/reverse-residual-run.ts';
import approveResidualStatements from '../../functions/residual-statements/approve-statements.ts';
import listResidualStatementLines from '../../functions/residual-statements/list-statement-lines.ts';
import readResidualStatement from '../../functions/residual-statements/read-residual-statement.ts';
import { mostOnStatement } from '../../shared/residuals/adjustments/adjust.ts';
import type { AdjustmentInput } from '../../shared/residuals/adjustments/schema.ts';
import { beneficiaryKey } from '../../shared/residuals/amounts/beneficiary.ts';
import { readStanding } from '../../shared/residuals/runs/month-sums.ts';
import { residualRuns } from '../../shared/residuals/runs/store.ts';
import { newStatement } from '../../shared/residuals/statements/new-statement.ts';
import { residualStatements } from '../../shared/residuals/statements/store.ts';
import { statementLines } from '../../shared/residuals/statements/stored-lines.ts';
import { drain } from '../harness/drain.ts';
import { statementLineCount } from '../harness/heavy.ts';
import { member } from '../harness/member.ts';
import { storedHappenings } from '../harness/raw-table.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';
import { bank } from './payouts/world.ts';
import { agree, posted, previewed, statementsOf, userOf } from './posted.ts';
import { storedFile, units } from './stored-files.ts';

/** An account with an agent who receives half of the net amounts, and a manager who receives 10 %. */
async function company() {
  const acme = await tenant();
  const [agent, manager] = [
    await member(acme, ['readOwnResiduals']),
    await member(acme, ['readOwnResiduals']),
  ];
  const overrides = [{ beneficiary: userOf(manager), basisPoints: 1_000 }];
  const agreement = await agree(acme.key, { beneficiary: userOf(agent), overrides });
  return { acme, account: acme.accountId, agent, manager, agreement };
}

const rows = [
  { mid: '1001', dba: 'Harbor Street', net: units(100.01), volume: units(5_000) },
  { mid: '1002', dba: 'Elm Deli', net: units(33.33) },
  { mid: '1001', net: units(-7.77) },
];

const linesOf = async (by: Client, id: number) =>
  (await by.ok(listResidualStatementLines, { params: { id }, query: { pageSize: 100 } })).data;

test('a run becomes a preview, is approved and posted, and makes one statement for each beneficiary', async () => {
  const { acme, account, agent, manager } = await company();
  await storedFile({ account, rows });
  const run = await posted(acme.key);
  expect(run).toMatchObject({
    net: units(125.57),
    shares: units(75.342),
    house: units(50.228),
    beneficiaryCount: 2,
  });
  expect(run.parts).toMatchObject([{ processor: 'Northwind', fileVersion: 1, rows: 3, lines: 6 }]);
  const [own = undefined] = await statementsOf(agent.client);
  expect(own).toMatchObject({ month: '2026-10', total: 6_279, payable: 6_279, lineCount: 3, state: 'ready' });
  const lines = await linesOf(agent.client, own?.id ?? 0);
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(6_279);
  expect(lines.map(({ mid, exact }) => [mid, exact])).toEqual([
    ['1001', units(50.005)],
    ['1001', units(-3.885)],
    ['1002', units(16.665)],
  ]);
  expect(await statementsOf(manager.client)).toMatchObject([{ total: 1_256 }]);
  const { data } = await acme.key.ok(listResidualRunBeneficiaries, { params: { id: run.id } });
  expect(data.map(({ after }) => after).sort()).toEqual([units(12.557), units(62.785)]);
});

test('a posted run emits one event, and one for each statement', async () => {
  const { acme, account } = await company();
  await storedFile({ account, rows });
  await posted(acme.key);
  expect(await storedHappenings(account, 'residual_run_posted')).toHaveLength(1);
  expect(await storedHappenings(account, 'residual_statement_ready')).toHaveLength(2);
});

test('a run of a posted month without changes creates no statement', async () => {
  const { acme, account } = await company();
  await storedFile({ account, rows });
  await posted(acme.key);
  await storedFile({ account, rows });
  expect((await previewed(acme.key)).difference).toBe(0);
  await posted(acme.key);
  expect(await statementsOf(acme.key)).toHaveLength(2);
});

test('a corrected file of a posted month makes statements of the differences, and leaves earlier ones as they are', async () => {
  const { acme, account, agent } = await company();
  await storedFile({ account, rows });
  await posted(acme.key);
  const [first = undefined] = await statementsOf(agent.client);
  const before = JSON.stringify(await linesOf(agent.client, first?.id ?? 0));
  await storedFile({
    account,
    rows: [rows[2] ?? { mid: '', net: 0 }, { mid: '1002', net: units(40) }, rows[0] ?? { mid: '', net: 0 }],
  });
  const run = await posted(acme.key);
  expect(run.difference).toBe(units(6.67 * 0.6));
  const [unchanged = undefined, second = undefined] = await statementsOf(agent.client);
  expect(unchanged).toEqual(first);
  expect(JSON.stringify(await linesOf(agent.client, first?.id ?? 0))).toBe(before);
  const lines = await linesOf(agent.client, second?.id ?? 0);
  expect(lines.map(({ mid, exact, corrects = '' }) => [mid, exact, corrects])).toEqual(
    [
      ['1002', units(-16.665), 'taken_back'],
      ['1002', units(20), ''],
    ].sort((one, other) => Number(other[1]) - Number(one[1])),
  );
  // 66.12 alone would be 6,612 cents.
  expect((first?.total ?? 0) + (second?.total ?? 0)).toBe(6_612);
});

test('an attempt to post a statement that is not committed leaves the lines of the statement as they are', async () => {
  const { acme, account, agent } = await company();
  await storedFile({ account, rows });
  await posted(acme.key);
  const [{ id = 0 } = {}] = await statementsOf(agent.client);
  const before = await linesOf(agent.client, id);
  const statement = await residualStatements.get(account, id);
  const run = await residualRuns.get(account, statement.runId);
  const lines = (await statementLines.all(statement)).map(({ minor: _, ...line }) => line);
  // Another statement of the month was posted meanwhile, so that the attempt rounds otherwise.
  const standing = await readStanding(account, beneficiaryKey(statement.beneficiary), '2026-10');
  const month = { ...standing.month, exact: 10_000, minor: 0 };
  const { kind, currency, beneficiaryName: name, postedAt } = statement;
  const attempt = newStatement(
    {
      ...{ id, run, kind, currency, name, postedAt, postedBy: 'ada@example.com', lines },
      beneficiary: beneficiaryKey(statement.beneficiary),
    },
    { ...standing, month },
  );
  expect(attempt.statement.total).toBe(statement.total + 1);
  await statementLines.put(attempt.statement, attempt.lines);
  expect(await linesOf(agent.client, id)).toEqual(before);
});

/** Posts a run and reverses it. `between` happens before the reversal. */
async function reversedRun(between: (of: Tenant, statementIds: number[]) => Promise<unknown>) {
  const { acme, account, agent, manager } = await company();
  await storedFile({ account, rows });
  const run = await posted(acme.admin);
  await between(
    acme,
    (await statementsOf(acme.admin)).map(({ id }) => id),
  );
  const params = { id: run.id };
  await acme.admin.ok(reverseResidualRun, { params });
  await drain();
  expect((await acme.admin.ok(readResidualRun, { params })).state).toBe('reversed');
  return { acme, account, agent, manager };
}

const approve = ({ admin }: Tenant, statementIds: number[]) =>
  admin.ok(approveResidualStatements, { body: { statementIds } });

test('a reversed run takes back its lines, withdraws what is not paid, and can be posted again', async () => {
  const { acme, agent } = await reversedRun(approve);
  const [first = undefined, reversal] = await statementsOf(agent.client);
  expect(first).toMatchObject({ state: 'withdrawn', payable: 6_279 });
  expect(reversal).toMatchObject({ total: -6_279, withdrawn: 6_279, payable: 0, balanceAfter: 0 });
  // Nothing of the reversed run can be paid.
  const statementIds = [first?.id ?? 0];
  for (const body of [{ month: '2026-10' }, { statementIds }]) {
    const refused = await acme.admin.call(createPayout, { body: { format: 'csv', ...body } });
    expect(JSON.stringify(refused.body)).toMatch(/payout_empty|is withdrawn, because its run was reversed/);
  }
  const again = await acme.admin.call(approveResidualStatements, { body: { statementIds } });
  expect(again.body).toMatchObject({ error: 'statement_not_ready' });
  await posted(acme.key);
  const [, , third = undefined] = await statementsOf(agent.client);
  expect(third).toMatchObject({ total: 6_279, balanceBefore: 0, withdrawn: 0, payable: 6_279 });
});

test('a reversal of a paid statement carries a negative balance forward', async () => {
  const { acme, agent } = await reversedRun(async (of, statementIds) => {
    await approve(of, statementIds);
    for (const { beneficiary } of await statementsOf(of.admin))
      await of.admin.ok(savePayoutAccount, { params: { id: `user:${beneficiary.id}` }, body: bank });
    await of.admin.ok(createPayout, { body: { format: 'csv', statementIds } });
  });
  const [first, reversal] = await statementsOf(agent.client);
  expect(first).toMatchObject({ state: 'paid' });
  expect(reversal).toMatchObject({ total: -6_279, withdrawn: 0, payable: 0, balanceAfter: -6_279 });
  await posted(acme.key);
  const [, , third = undefined] = await statementsOf(agent.client);
  expect(third).toMatchObject({ total: 6_279, balanceBefore: -6_279, payable: 0, balanceAfter: 0 });
});

test('a run that a later run has corrected cannot be reversed first', async () => {
  const { acme, account } = await company();
  await storedFile({ account, rows });
  const first = await posted(acme.key);
  await storedFile({ account, rows: rows.slice(1) });
  await posted(acme.key);
  const { status, body } = await acme.key.call(reverseResidualRun, { params: { id: first.id } });
  expect([status, body]).toMatchObject([400, { error: 'residual_run_outdated' }]);
});

test('a run is outdated if another run of the same processor was posted after its preview', async () => {
  const { acme, account } = await company();
  await storedFile({ account, rows });
  const [one, other] = [await previewed(acme.key), await previewed(acme.key)];
  for (const { id } of [one, other]) await acme.key.ok(approveResidualRun, { params: { id } });
  await acme.key.ok(postResidualRun, { params: { id: one.id } });
  const early = await acme.key.call(postResidualRun, { params: { id: other.id } });
  expect(early.body).toMatchObject({ error: 'residual_run_open' });
  await drain();
  const late = await acme.key.call(postResidualRun, { params: { id: other.id } });
  expect(late.body).toMatchObject({ error: 'residual_run_outdated' });
});

test('processors are posted one by one, and a processor without a file is refused', async () => {
  const { acme, account, agent } = await company();
  await storedFile({ account, rows });
  await storedFile({ account, rows, processor: 'Harbor' });
  await posted(acme.key, '2026-10', ['northwind']);
  await posted(acme.key, '2026-10', ['Harbor']);
  expect((await statementsOf(agent.client)).map(({ total }) => total)).toEqual([6_279, 6_278]);
  const body = { month: '2026-10', processors: ['Elm'] };
  expect((await acme.key.call(createResidualRun, { body })).body).toMatchObject({
    details: [{ field: 'processors[0]' }],
  });
});

test('with residualsNeedTwoPeople, the person who started a run cannot approve it', async () => {
  const { acme, account } = await company();
  const params = { id: account };
  await acme.admin.ok(updateAccount, { params, body: { residualsNeedTwoPeople: true } });
  await storedFile({ account, rows });
  const starter = await member(acme, ['readResiduals', 'writeResiduals', 'approveResiduals']);
  const { id } = await previewed(starter.client);
  const alone = await starter.client.call(approveResidualRun, { params: { id } });
  expect([alone.status, alone.body]).toMatchObject([403, { error: 'run_needs_second_person' }]);
  const other = await member(acme, ['readResiduals', 'approveResiduals']);
  expect((await other.client.ok(approveResidualRun, { params: { id } })).approvedBy).toBe(other.user.email);
  await acme.admin.ok(updateAccount, { params, body: { residualsNeedTwoPeople: false } });
  const { id: second } = await previewed(starter.client);
  expect((await starter.client.call(approveResidualRun, { params: { id: second } })).status).toBe(403);
});

const adjust = (acme: Tenant, body: Omit<AdjustmentInput, 'month'> & Partial<AdjustmentInput>) =>
  acme.key.ok(createResidualAdjustment, { body: { month: '2026-10', ...body } });

test('bonus, fee, clawback and chargeback loss are on the statement once, and cannot be deleted afterwards', async () => {
  const { acme, account, agent } = await company();
  await storedFile({ account, rows });
  const beneficiary = userOf(agent);
  const bonus = await adjust(acme, {
    kind: 'bonus',
    beneficiary,
    amount: units(10),
    reason: 'Signing bonus',
  });
  await adjust(acme, { kind: 'fee', beneficiary, amount: units(1.25) });
  await adjust(acme, { kind: 'clawback', beneficiary, amount: units(2), mid: '1001' });
  await adjust(acme, { kind: 'chargeback_loss', beneficiary, amount: units(30), basisPoints: 1_000 });
  const dropped = await adjust(acme, { kind: 'fee', beneficiary, amount: units(99) });
  await acme.key.ok(deleteResidualAdjustment, { params: { id: dropped.id } });
  const run = await posted(acme.key);
  expect(run.adjustments).toBe(units(3.75));
  await posted(acme.key);
  const [statement = undefined, ...more] = await statementsOf(agent.client);
  expect([statement?.total, more]).toEqual([6_279 + 375, []]);
  const refused = await acme.key.call(deleteResidualAdjustment, { params: { id: bonus.id } });
  expect(refused.body).toMatchObject({ error: 'adjustment_used' });
});

test('an advance is paid once, and recovered from later months by at most its part of the shares', async () => {
  const { acme, account, agent } = await company();
  const advance = await adjust(acme, {
    ...{ kind: 'advance', beneficiary: userOf(agent), amount: units(40), basisPoints: 2_500 },
    month: '2026-09',
  });
  await posted(acme.key, '2026-09');
  for (const month of ['2026-10', '2026-11', '2026-12']) {
    await storedFile({ account, month, rows: [{ mid: '1001', net: units(120) }] });
    await posted(acme.key, month);
  }
  const totals = (await statementsOf(agent.client)).map(({ total }) => total);
  expect(totals).toEqual([4_000, 4_500, 4_500, 5_000]);
  // A corrected file recovers only the difference.
  await storedFile({ account, month: '2026-12', rows: [{ mid: '1001', net: units(60) }] });
  await posted(acme.key, '2026-12');
  const after = await acme.key.ok(readResidualAdjustment, { params: { id: advance.id } });
  expect(after).toMatchObject({ outstanding: units(2.5), recovered: { '2026-12': units(7.5) } });
  expect((await statementsOf(agent.client)).at(-1)?.total).toBe(-3_000 + 250);
});

test('an advance that was partly recovered cannot be deleted, also after its run is reversed', async () => {
  const { acme, account, agent } = await company();
  const advance = await adjust(acme, {
    ...{ kind: 'advance', beneficiary: userOf(agent), amount: units(40), basisPoints: 2_500 },
    month: '2026-09',
  });
  const { id } = await posted(acme.key, '2026-09');
  await storedFile({ account, rows: [{ mid: '1001', net: units(120) }] });
  await posted(acme.key);
  await acme.key.ok(reverseResidualRun, { params: { id } });
  await drain();
  const params = { id: advance.id };
  expect(await acme.key.ok(readResidualAdjustment, { params })).toMatchObject({
    ...{ state: 'open', recovered: { '2026-10': units(15) } },
  });
  const refused = await acme.key.call(deleteResidualAdjustment, { params });
  expect(refused.body).toMatchObject({ error: 'adjustment_used' });
  // The advance is paid again. Only the rest is outstanding.
  await posted(acme.key, '2026-09');
  expect(await acme.key.ok(readResidualAdjustment, { params })).toMatchObject({
    ...{ state: 'used', outstanding: units(25) },
  });
});

test('all of many advances are recovered, also on statements with many other adjustments', async () => {
  const { acme, account, agent } = await company();
  const beneficiary = userOf(agent);
  const most = mostOnStatement.adjustments;
  for (let n = 0; n <= most; n++)
    await adjust(acme, { kind: 'advance', beneficiary, amount: units(1), month: '2026-09' });
  for (let n = 0; n < most; n++) await adjust(acme, { kind: 'fee', beneficiary, amount: units(1) });
  await posted(acme.key, '2026-09');
  await posted(acme.key, '2026-09');
  const ids: number[] = [];
  for (const month of ['2026-10', '2026-11', '2026-12']) {
    await storedFile({ account, month, rows: [{ mid: '1001', net: units(120) }] });
    ids.push((await posted(acme.key, month)).id);
  }
  expect((await statementsOf(agent.client)).map(({ total }) => total)).toEqual(
    [most, 1, 60 - most - 15, 60 - 11, 60].map((amount) => amount * 100),
  );
  await acme.key.ok(reverseResidualRun, { params: { id: ids[0] ?? 0 } });
  await drain();
  expect((await statementsOf(agent.client)).at(-1)).toMatchObject({ total: (most + 15 - 60) * 100 });
});

test('an advance is recovered at most once, also if two months are posted at the same time', async () => {
  const { acme, account, agent } = await company();
  const advance = await adjust(acme, {
    ...{ kind: 'advance', beneficiary: userOf(agent), amount: units(40) },
    month: '2026-09',
  });
  await posted(acme.key, '2026-09');
  const months = ['2026-10', '2026-11'];
  for (const month of months) await storedFile({ account, month, rows: [{ mid: '1001', net: units(60) }] });
  // Each month would recover 30.
  const runs = [];
  for (const month of months) runs.push(await previewed(acme.key, month));
  const errors: unknown[] = [];
  await Promise.all(
    runs.map(async ({ id }) => {
      await acme.key.ok(approveResidualRun, { params: { id } });
      const { body } = await acme.key.call(postResidualRun, { params: { id } });
      if ('error' in body) errors.push(body.error);
    }),
  );
  await drain();
  expect(errors).toEqual(['residual_run_open']);
  const read = () => acme.key.ok(readResidualAdjustment, { params: { id: advance.id } });
  expect(await read()).toMatchObject({ outstanding: units(10) });
  const { data: all } = await acme.key.ok(listResidualRuns, { query: { state: 'approved' } });
  const refused = await acme.key.call(postResidualRun, { params: { id: all[0]?.id ?? 0 } });
  expect(refused.body).toMatchObject({ error: 'residual_run_outdated' });
  await posted(acme.key, all[0]?.month);
  expect(await read()).toMatchObject({
    ...{ outstanding: 0 },
    recovered: { [all[0]?.month ?? '']: units(10) },
  });
});

test('the reversal of a correction recovers no more of an advance than is outstanding', async () => {
  const { acme, account, agent } = await company();
  const advance = await adjust(acme, {
    ...{ kind: 'advance', beneficiary: userOf(agent), amount: units(40) },
    month: '2026-09',
  });
  await posted(acme.key, '2026-09');
  await storedFile({ account, month: '2026-10', rows: [{ mid: '1001', net: units(80) }] });
  await posted(acme.key, '2026-10');
  // The corrected month gives 10 back, which the next month recovers.
  await storedFile({ account, month: '2026-10', rows: [{ mid: '1001', net: units(60) }] });
  const { id } = await posted(acme.key, '2026-10');
  await storedFile({ account, month: '2026-11', rows: [{ mid: '1001', net: units(80) }] });
  await posted(acme.key, '2026-11');
  await acme.key.ok(reverseResidualRun, { params: { id } });
  await drain();
  expect(await acme.key.ok(readResidualAdjustment, { params: { id: advance.id } })).toMatchObject({
    ...{ outstanding: 0, recovered: { '2026-10': units(30), '2026-11': units(10) } },
  });
});

test('a transfer divides the month by its days, and later months belong to the new beneficiary', async () => {
  const { acme, account, agent } = await company();
  const next = await member(acme, ['readOwnResiduals']);
  await adjust(acme, {
    kind: 'transfer',
    beneficiary: userOf(agent),
    to: userOf(next),
    mid: '1001',
    date: '2026-10-11',
    by: 'day',
  });
  for (const month of ['2026-10', '2026-11']) {
    await storedFile({ account, month, rows: [{ mid: '1001', net: units(62) }] });
    await posted(acme.key, month);
  }
  expect((await statementsOf(agent.client)).map(({ total }) => total)).toEqual([1_000]);
  expect((await statementsOf(next.client)).map(({ total }) => total)).toEqual([2_100, 3_100]);
});

test('a transfer by month moves the whole month, also if it is in the middle of the month', async () => {
  const { acme, account, agent } = await company();
  const next = await member(acme, ['readOwnResiduals']);
  await adjust(acme, {
    ...{ kind: 'transfer', beneficiary: userOf(agent), to: userOf(next), mid: '1001' },
    ...{ date: '2026-10-31', by: 'month' },
  });
  for (const month of ['2026-09', '2026-10']) {
    await storedFile({ account, month, rows: [{ mid: '1001', net: units(62) }] });
    await posted(acme.key, month);
  }
  expect((await statementsOf(agent.client)).map(({ month, total }) => [month, total])).toEqual([
    ['2026-09', 3_100],
  ]);
  expect((await statementsOf(next.client)).map(({ month, total }) => [month, total])).toEqual([
    ['2026-10', 3_100],
  ]);
});

test('transfers of a month apply in the order of their dates, as in later months', async () => {
  const { acme, account, agent } = await company();
  const [second, third] = [
    await member(acme, ['readOwnResiduals']),
    await member(acme, ['readOwnResiduals']),
  ];
  const moves = [
    { beneficiary: userOf(agent), to: userOf(second), mid: ' 1001 ', date: '2026-10-11', by: 'day' },
    { beneficiary: userOf(second), to: userOf(third), mid: '1001', date: '2026-10-20', by: 'month' },
  ] as const;
  for (const move of moves) await adjust(acme, { kind: 'transfer', ...move });
  for (const month of ['2026-10', '2026-11']) {
    await storedFile({ account, month, rows: [{ mid: '1001', net: units(62) }] });
    await posted(acme.key, month);
  }
  const totalsOf = async ({ client }: { client: Client }) =>
    (await statementsOf(client)).map(({ total }) => total);
  expect(await totalsOf(agent)).toEqual([1_000]);
  expect(await totalsOf(second)).toEqual([]);
  expect(await totalsOf(third)).toEqual([2_100, 3_100]);
});

test('a version of an agreement for a past month changes posted months only by a run of differences', async () => {
  const { acme, account, agent, agreement } = await company();
  await storedFile({ account, rows: [{ mid: '1001', net: units(100) }] });
  await posted(acme.key);
  const body = { validFrom: '2026-10', share: { basisPoints: 6_000, of: 'net' as const } };
  const changed = await acme.key.ok(updateResidualAgreement, { params: { id: agreement.id }, body });
  expect(changed.versions.map(({ version, share }) => [version, share.basisPoints])).toEqual([
    [1, 5_000],
    [2, 6_000],
  ]);
  expect(changed.versions[0]).toEqual(agreement.versions[0]);
  await posted(acme.key);
  expect((await statementsOf(agent.client)).map(({ total }) => total)).toEqual([5_000, 1_000]);
});

test('a statement has any number of lines, and the next run changes none of them', async () => {
  const { acme, account, agent } = await company();
  const many = Array.from({ length: statementLineCount }, (_, n) => ({
    mid: `${100_000 + n}`,
    net: units(1) + n,
  }));
  await storedFile({ account, rows: many });
  await posted(acme.key);
  const [statement = undefined] = await statementsOf(agent.client);
  expect(statement).toMatchObject({ lineCount: statementLineCount });
  // Lines are stored in parts of 1,000. A list has pages for its first 10,000 records.
  const params = { id: statement?.id ?? 0 };
  for (const page of [1, 10, 11, Math.min(statementLineCount, 10_000) / 100]) {
    const first = (page - 1) * 100 + 1;
    const query = { pageSize: 100, page };
    const { data } = await agent.client.ok(listResidualStatementLines, { params, query });
    expect(data.map(({ id, mid }) => [id, mid])).toEqual(
      Array.from({ length: 100 }, (_, n) => [first + n, `${100_000 + first + n - 1}`]),
    );
  }
  await storedFile({ account, rows: many.toReversed() });
  const { difference } = await posted(acme.key);
  expect([difference, await statementsOf(agent.client)]).toEqual([0, [statement]]);
}, 300_000);

test('a run whose sums are too large fails with a sentence', async () => {
  const { acme, account } = await company();
  for (const processor of ['Northwind', 'Harbor'])
    await storedFile({ account, processor, rows: [{ mid: '1', net: Number.MAX_SAFE_INTEGER }] });
  const { id } = await acme.key.ok(createResidualRun, { body: { month: '2026-10' } });
  await drain();
  const run = await acme.key.ok(readResidualRun, { params: { id } });
  expect(run).toMatchObject({ state: 'failed', error: 'The sum of the amounts is too large.' });
});

test('a statement in the list is the same as alone', async () => {
  const { acme, account, agent } = await company();
  await storedFile({ account, rows });
  await posted(acme.key);
  const [listed = undefined] = await statementsOf(agent.client);
  expect(await agent.client.ok(readResidualStatement, { params: { id: listed?.id ?? 0 } })).toEqual(listed);
});
