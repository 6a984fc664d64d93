import type { AccountId } from '../../id/account-id.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, type Revision, revise } from '../../table/revise.ts';
import { beneficiaryKey } from '../amounts/beneficiary.ts';
import { type Balances, readBalances } from '../runs/month-sums.ts';
import type { StoredStatement } from '../statements/schema.ts';
import { residualStatements } from '../statements/store.ts';

/** Reads the balances that change if payments of these statements do not arrive. */
export const readReopened = (account: AccountId, statements: readonly StoredStatement[]): Promise<Balances> =>
  readBalances(
    account,
    statements.flatMap((one) => (one.reversalId === undefined ? [] : beneficiaryKey(one.beneficiary))),
  );

/**
 * Returns the writes of a statement whose payment did not arrive: another payout can pay it. If its run was reversed after the
 * payment, nothing is paid again. The statement is withdrawn, and its amount is added to the balance of the beneficiary,
 * from which the reversal has subtracted it.
 */
export const reopenStatement = (
  statement: StoredStatement,
  revision: Revision<StoredStatement>,
  balances: Balances,
  request: Authored,
): Write[] => {
  const isReversed = addToBalance(statement, statement.payable, balances);
  return change(statement, isReversed ? { state: 'withdrawn' } : revision, request);
};

/** Returns the writes of a statement whose payment arrived, although it was reopened before. */
export const closeStatement = (
  statement: StoredStatement,
  balances: Balances,
  request: Authored,
): Write[] => {
  addToBalance(statement, -statement.payable, balances);
  return change(statement, { state: 'paid' }, request);
};

const change = (
  statement: StoredStatement,
  revision: Revision<StoredStatement>,
  request: Authored,
): Write[] => residualStatements.replace(statement, revise(statement, revision, request));

/** If the run of a paid statement was reversed, adds an amount to the balance of its beneficiary. Otherwise returns false. */
function addToBalance(
  { reversalId, beneficiary }: StoredStatement,
  amount: number,
  balances: Balances,
): boolean {
  if (reversalId === undefined) return false;
  const name = beneficiaryKey(beneficiary);
  const known = balances.get(name);
  if (!known) throw new Error(`The balance of ${name} was not read.`);
  balances.set(name, { ...known, balance: known.balance + amount });
  return true;
}
