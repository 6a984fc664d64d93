import type { AccountId } from '../../../shared/id/account-id.ts';
import { reportRules } from '../../../shared/sales/underwriting-rules/report.ts';
import { underwritingRules } from '../../../shared/sales/underwriting-rules/store.ts';
import { readReportPeriod } from '../../../shared/sales/underwriting-rules/test-rule.ts';

/** Reads the rules of an account in the order in which they run, and their report for the last 30 days. */
export async function readRules(account: AccountId, now: Date) {
  const [rules, report] = await Promise.all([
    underwritingRules.current(account),
    reportRules(account, readReportPeriod({}, now)),
  ]);
  const inOrder = rules.sort((one, other) => one.priority - other.priority || one.id - other.id);
  return { rules: inOrder.map(underwritingRules.show), report };
}
