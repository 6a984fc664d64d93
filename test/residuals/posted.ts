import { expect } from 'vitest';
import createResidualAgreement from '../../functions/residual-agreements/create-residual-agreement.ts';
import approveResidualRun from '../../functions/residual-runs/approve-residual-run.ts';
import createResidualRun from '../../functions/residual-runs/create-residual-run.ts';
import postResidualRun from '../../functions/residual-runs/post-residual-run.ts';
import readResidualRun from '../../functions/residual-runs/read-residual-run.ts';
import listResidualStatements from '../../functions/residual-statements/list-residual-statements.ts';
import type { AgreementInput } from '../../shared/residuals/agreements/schema.ts';
import type { ResidualRun } from '../../shared/residuals/runs/schema.ts';
import type { ResidualStatement } from '../../shared/residuals/statements/schema.ts';
import { drain } from '../harness/drain.ts';
import type { Client } from '../harness/tenant.ts';

/** A user as a beneficiary. */
export const userOf = ({ user }: { user: { id: number } }) => ({
  type: 'user' as const,
  id: String(user.id),
});

/** Creates an agreement over half of the net amounts, by default for all MIDs. */
export const agree = (by: Client, input: Partial<AgreementInput> & Pick<AgreementInput, 'beneficiary'>) =>
  by.ok(createResidualAgreement, {
    body: { share: { basisPoints: 5_000, of: 'net' }, validFrom: '2026-01', ...input },
  });

/** Calculates a run, and returns its preview. */
export async function previewed(by: Client, month = '2026-10', processors?: string[]): Promise<ResidualRun> {
  const { id } = await by.ok(createResidualRun, { body: { month, ...(processors && { processors }) } });
  await drain();
  const run = await by.ok(readResidualRun, { params: { id } });
  expect(run.state, run.error).toBe('preview');
  return run;
}

/** Calculates, approves and posts a run. */
export async function posted(by: Client, month = '2026-10', processors?: string[]): Promise<ResidualRun> {
  const { id } = await previewed(by, month, processors);
  const params = { id };
  await by.ok(approveResidualRun, { params });
  await by.ok(postResidualRun, { params });
  await drain();
  const run = await by.ok(readResidualRun, { params });
  expect(run.state).toBe('posted');
  return run;
}

/** The statements that a caller sees, oldest first. */
export const statementsOf = async (by: Client): Promise<ResidualStatement[]> =>
  (await by.ok(listResidualStatements, { query: { pageSize: 100 } })).data.toReversed();
