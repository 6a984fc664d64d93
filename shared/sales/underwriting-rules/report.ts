import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { agreesWith } from './compare.ts';
import type { RuleReport } from './schema.ts';
import { readOutcomes, type SubmissionOutcome } from './submissions.ts';
import { idsIn, type TestPeriod } from './test-rule.ts';

/** The largest number of submissions in a report. */
const maxSubmissions = 20_000;

type Row = RuleReport['data'][number];
type RuleOutcome = SubmissionOutcome['results'][number];

/** Counts for each rule and version how often it applied and acted, and how often a person decided otherwise. */
export async function reportRules(account: AccountId, period: TestPeriod): Promise<RuleReport> {
  const outcomes = await readOutcomes(account, idsIn(period), maxSubmissions + 1);
  if (outcomes.length > maxSubmissions)
    throw invalid('from', `selects more than ${maxSubmissions} submissions. Choose a shorter period`);
  const rows = new Map<string, Row>();
  for (const outcome of outcomes) for (const result of outcome.results) addResult(rows, outcome, result);
  const data = [...rows.values()].sort(
    (one, other) => one.ruleId - other.ruleId || one.version - other.version,
  );
  return { ...period, submissions: outcomes.length, data };
}

function addResult(
  rows: Map<string, Row>,
  outcome: SubmissionOutcome,
  { ruleId, version, name, mode, applied, acted, action, assignedTo, priority }: RuleOutcome,
): void {
  const key = `${ruleId}@${version}`;
  const row = rows.get(key) ?? { ruleId, name, version, shadow: 0, applied: 0, acted: 0, overruled: 0 };
  const counts = acted || (applied && mode === 'shadow');
  const overruled = counts && agreesWith({ kind: action, assignedTo, priority }, outcome) === false;
  rows.set(key, {
    ...row,
    name,
    shadow: row.shadow + Number(applied && mode === 'shadow'),
    applied: row.applied + Number(applied),
    acted: row.acted + Number(acted),
    overruled: row.overruled + Number(overruled),
  });
}
