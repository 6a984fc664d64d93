import cancelPayout from '../../../functions/residual-payouts/cancel-payout.ts';
import createPayout from '../../../functions/residual-payouts/create-payout.ts';
import deletePayoutAccount from '../../../functions/residual-payouts/delete-payout-account.ts';
import downloadPayout from '../../../functions/residual-payouts/download-payout.ts';
import importReturns from '../../../functions/residual-payouts/import-returns.ts';
import recordPaymentResult from '../../../functions/residual-payouts/record-payment-result.ts';
import savePayoutAccount from '../../../functions/residual-payouts/save-payout-account.ts';
import savePayoutSettings from '../../../functions/residual-payouts/save-payout-settings.ts';
import { mintId } from '../../../shared/id/mint.ts';
import type { PayoutAccountInput } from '../../../shared/residuals/payout-accounts/schema.ts';
import type { StoredStatement } from '../../../shared/residuals/statements/schema.ts';
import { residualStatements } from '../../../shared/residuals/statements/store.ts';
import { newRecord } from '../../../shared/table/record-fields.ts';
import { authoredBy } from '../../../shared/table/revise.ts';
import { transact } from '../../../shared/table/transact.ts';
import { clock } from '../../harness/clock.ts';
import { type Member, member } from '../../harness/member.ts';
import type { Tenant } from '../../harness/tenant.ts';
import { writeReturnFile } from '../nacha/ach-files.ts';

export const settings = {
  companyName: 'Harbor Payments',
  companyId: '1234567890',
  odfiRoutingNumber: '121042882',
  bankName: 'First Harbor Bank',
};

export const bank: PayoutAccountInput = {
  holderName: 'Ada Byron',
  holderType: 'person',
  routingNumber: '011000015',
  accountNumber: '000123456789',
  accountType: 'checking',
};

/** Stores a statement without a run. Default: approved, for October 2026, with 123.45 USD to pay. */
export async function storedStatement(
  of: Tenant,
  beneficiaryId: number | string,
  fields: Partial<StoredStatement> = {},
): Promise<StoredStatement> {
  const now = clock.now();
  const statement: StoredStatement = {
    ...newRecord({ account: of.accountId, ...authoredBy(of.adminEmail, now) }),
    beneficiary: { type: typeof beneficiaryId === 'number' ? 'user' : 'account', id: String(beneficiaryId) },
    ...{ beneficiaryName: 'Ada Byron', month: '2026-10', runId: mintId(now), kind: 'posting' },
    ...{ currency: 'USD', postedAt: now.toISOString(), lineCount: 1, linesSha256: 'a'.repeat(64) },
    ...{
      total: 123_45,
      balanceBefore: 0,
      withdrawn: 0,
      payable: 123_45,
      balanceAfter: 0,
      sha256: 'b'.repeat(64),
    },
    ...{ state: 'approved', eventId: mintId(now) },
    ...fields,
  };
  await transact(residualStatements.insert(statement), Date.now() + 10_000);
  return statement;
}

export const accountOf = (id: number | string): string =>
  `${typeof id === 'number' ? 'user' : 'account'}:${id}`;

/** Sets the bank of a tenant's payouts. */
export const setBank = ({ admin }: Tenant, more: object = {}) =>
  admin.ok(savePayoutSettings, { body: { ...settings, ...more } });

/** Adds an agent with a payout account. */
export async function agent(of: Tenant, input: Partial<PayoutAccountInput> = {}): Promise<Member['user']> {
  const { user } = await member(of, []);
  await of.admin.ok(savePayoutAccount, {
    params: { id: accountOf(user.id) },
    body: { ...bank, ...input },
  });
  return user;
}

/** Creates a payout of new statements of an agent, and downloads its file. */
export async function sentPayout(of: Tenant, agentId: number, statements = 1) {
  const statementIds: number[] = [];
  for (let n = 0; n < statements; n++) statementIds.push((await storedStatement(of, agentId)).id);
  const payout = await of.admin.ok(createPayout, { body: { format: 'nacha', statementIds } });
  await of.admin.ok(downloadPayout, { params: { id: payout.id } });
  return payout;
}

/** Sends every request that changes payouts, their accounts and their settings. */
export async function everyChangeOfPayouts(of: Tenant): Promise<void> {
  const { admin } = of;
  await setBank(of);
  await setBank(of, { companyName: 'Another name' });
  const ada = await agent(of);
  const { id: cancelled } = await admin.ok(createPayout, {
    body: { format: 'csv', statementIds: [(await storedStatement(of, ada.id)).id] },
  });
  await admin.ok(cancelPayout, { params: { id: cancelled } });
  const byHand = await sentPayout(of, ada.id);
  for (const result of ['paid', 'returned'] as const)
    await admin.ok(recordPaymentResult, { params: { id: byHand.id, n: 1 }, body: { result } });
  for (const code of ['R01', 'C05']) {
    const { entries } = await sentPayout(of, ada.id);
    const { trace = '', amount = 0 } = entries[0] ?? {};
    const file = writeReturnFile([{ code, trace, amount, ...(code === 'C05' && { corrected: '32' }) }]);
    await admin.ok(importReturns, { body: { fileContent: file } });
  }
  const params = { id: accountOf(ada.id) };
  await admin.ok(savePayoutAccount, { params, body: { ...bank, holderName: 'Ada King' } });
  await admin.ok(deletePayoutAccount, { params });
}
