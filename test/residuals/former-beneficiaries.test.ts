import { expect, test } from 'vitest';
import createResidualAdjustment from '../../functions/residual-adjustments/create-adjustment.ts';
import createPayout from '../../functions/residual-payouts/create-payout.ts';
import deletePayoutAccount from '../../functions/residual-payouts/delete-payout-account.ts';
import downloadPayout from '../../functions/residual-payouts/download-payout.ts';
import recordPaymentResult from '../../functions/residual-payouts/record-payment-result.ts';
import savePayoutAccount from '../../functions/residual-payouts/save-payout-account.ts';
import reverseResidualRun from '../../functions/residual-runs/reverse-residual-run.ts';
import approveResidualStatements from '../../functions/residual-statements/approve-statements.ts';
import removeUser from '../../functions/users/remove-user-from-account.ts';
import type { AdjustmentInput } from '../../shared/residuals/adjustments/schema.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { accountOf, agent, bank } from './payouts/world.ts';
import { agree, posted, statementsOf, userOf } from './posted.ts';
import { storedFile, units } from './stored-files.ts';

const acme = await tenant();
const { admin, accountId: account } = acme;

const removed = ({ email }: { email: string }) =>
  admin.ok(removeUser, { params: { email, accountId: account } });

const adjust = (of: Tenant, body: Omit<AdjustmentInput, 'month'> & Partial<AdjustmentInput>) =>
  of.admin.call(createResidualAdjustment, { body: { month: '2026-11', ...body } });

/** Approves a statement, and pays it by a payout that was sent. */
async function paid(statementId: number): Promise<{ id: number }> {
  await admin.ok(approveResidualStatements, { body: { statementIds: [statementId] } });
  const body = { format: 'csv' as const, statementIds: [statementId] };
  const { id } = await admin.ok(createPayout, { body });
  await admin.ok(downloadPayout, { params: { id } });
  return { id };
}

test('the MIDs of an agent who has left can be transferred, but not to an agent who has left', async () => {
  const [former, next] = [await member(acme), await member(acme, ['readOwnResiduals'])];
  await agree(admin, { beneficiary: userOf(former), scope: { mid: '1001' } });
  await removed(former.user);
  const move = { kind: 'transfer', mid: '1001', date: '2026-11-01', by: 'month' } as const;
  const transfer = { ...move, beneficiary: userOf(former), to: userOf(next) };
  expect((await adjust(acme, transfer)).status).toBe(201);
  await storedFile({ account, month: '2026-11', rows: [{ mid: '1001', net: units(10) }] });
  await posted(admin, '2026-11');
  expect(await statementsOf(next.client)).toMatchObject([{ total: 500 }]);
  const back = await adjust(acme, { ...move, beneficiary: userOf(next), to: userOf(former) });
  expect(back.body).toMatchObject({ error: 'beneficiary_unknown', details: [{ field: 'to' }] });
  const stranger = { kind: 'bonus', beneficiary: { type: 'user', id: '17' }, amount: 1 } as const;
  expect((await adjust(acme, stranger)).body).toMatchObject({
    ...{ error: 'beneficiary_unknown', details: [{ field: 'beneficiary' }] },
  });
});

test('the positive balance of an agent who has left is paid to a new bank account', async () => {
  const former = await agent(acme);
  const beneficiary = userOf({ user: former });
  await agree(admin, { beneficiary, scope: { mid: '2002' } });
  const statements = async () =>
    (await statementsOf(admin)).filter((one) => one.beneficiary.id === beneficiary.id);
  await storedFile({ account, processor: 'Harbor', rows: [{ mid: '2002', net: units(200) }] });
  const run = await posted(admin, '2026-10', ['Harbor']);
  const first = await paid((await statements())[0]?.id ?? 0);
  await admin.ok(reverseResidualRun, { params: { id: run.id } });
  await drain();
  await posted(admin, '2026-10', ['Harbor']);
  // The next statement has paid the balance of the reversal. Now the first payment does not arrive.
  await admin.ok(recordPaymentResult, { params: { id: first.id, n: 1 }, body: { result: 'returned' } });
  expect((await statements()).map(({ state, payable }) => [state, payable])).toEqual([
    ['withdrawn', 10_000],
    ['ready', 0],
    ['ready', 0],
  ]);
  const params = { id: accountOf(former.id) };
  await admin.ok(deletePayoutAccount, { params });
  await removed(former);
  expect((await adjust(acme, { kind: 'bonus', beneficiary, amount: 1 })).status).toBe(201);
  await posted(admin, '2026-11', []);
  await admin.ok(savePayoutAccount, { params, body: bank });
  const last = (await statements()).at(-1);
  expect(last).toMatchObject({ total: 0, balanceBefore: 10_000, payable: 10_000 });
  await paid(last?.id ?? 0);
});
