import { largestEntry } from '../nacha/fields.ts';
import type { StoredPayoutAccount } from '../payout-accounts/store.ts';
import type { StoredStatement } from '../statements/schema.ts';
import { mostPayments, type SkippedStatement, type SkipReason } from './schema.ts';

/** A statement to pay, and the bank account that receives the payment. */
export interface ChosenPayment {
  statement: StoredStatement;
  bank: StoredPayoutAccount;
}

interface Choice {
  chosen: ChosenPayment[];
  skipped: SkippedStatement[];
}

/** A statement that a request names, as stored. */
export interface WantedStatement {
  id: number;
  statement: StoredStatement | undefined;
  bank: StoredPayoutAccount | undefined;
}

/** The states of statements that a payout can pay. A returned payment can be paid again. */
const payableStates: readonly StoredStatement['state'][] = ['approved', 'returned'];

/**
 * Returns the statements that a payout pays, and the others with the reason of each. All payments have one currency: USD in
 * a NACHA file, otherwise that of the first statement.
 */
export function choosePayments(wanted: readonly WantedStatement[], format: 'nacha' | 'csv'): Choice {
  const choice: Choice = { chosen: [], skipped: [] };
  let currency = format === 'nacha' ? 'USD' : undefined;
  for (const { id, statement, bank } of wanted) {
    const reason = reasonToSkip(statement, format, currency) ?? (bank ? undefined : 'no_bank_account');
    if (reason || !statement || !bank) choice.skipped.push({ statementId: id, reason: reason ?? 'unknown' });
    else if (choice.chosen.length === mostPayments)
      choice.skipped.push({ statementId: id, reason: 'too_many' });
    else {
      currency ??= statement.currency;
      choice.chosen.push({ statement, bank });
    }
  }
  return choice;
}

function reasonToSkip(
  statement: StoredStatement | undefined,
  format: 'nacha' | 'csv',
  currency: string | undefined,
): SkipReason | undefined {
  if (!statement) return 'unknown';
  if (statement.state === 'paid') return 'in_a_payout';
  if (statement.state === 'withdrawn') return 'withdrawn';
  if (statement.payable <= 0) return 'nothing_to_pay';
  if (!payableStates.includes(statement.state)) return 'not_approved';
  if (currency !== undefined && statement.currency !== currency) return 'other_currency';
  return format === 'nacha' && statement.payable > largestEntry ? 'amount_too_large' : undefined;
}

/** The sentences for statements that a request names, and that cannot be paid. */
export const skipMessages: Readonly<Record<SkipReason, string>> = {
  unknown: 'is not a statement of this account',
  not_approved: 'is not approved. Approve the statement first',
  in_a_payout: 'is already paid by a payout',
  withdrawn: 'is withdrawn, because its run was reversed',
  nothing_to_pay: 'pays nothing, because its balance is not above 0',
  no_bank_account: 'has a beneficiary without a payout account. Add it with PUT /payout-accounts/{id}',
  other_currency: 'has another currency. A payout has one currency, which is USD in a NACHA file',
  amount_too_large:
    'pays more than 99,999,999.99, the most of an entry in a NACHA file. Pay it with the format csv',
  too_many: `is too many: a payout pays at most ${mostPayments} statements`,
};
