import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { firstIdAt } from '../../id/mint.ts';
import { addToComparison, type ComparisonState, type TestedRules } from './compare.ts';
import { type EvaluatedRule, inOrder } from './run-rules.ts';
import type { StoredRule } from './schema.ts';
import {
  readLaterSubmissions,
  readSubmissions,
  type SubmissionRange,
  submissionName,
} from './submissions.ts';

const longestPeriod = 731 * 86_400_000;

/** A period of submissions. Its texts are ISO 8601 in UTC. */
export interface TestPeriod {
  from: string;
  to: string;
}

/** Returns the period of a request. By default, it ends now. Throws `invalid_input`. */
export function readPeriod({ from, to = '' }: { from: string; to?: string }, now: Date): TestPeriod {
  const period = { from, to: to || now.toISOString() };
  const length = Date.parse(period.to) - Date.parse(from);
  if (length <= 0) throw invalid(to ? 'to' : 'from', to ? 'must be after from' : 'must be in the past');
  if (length > longestPeriod) throw invalid('to', 'must be at most 731 days after from');
  return period;
}

/** Returns the period of a report. By default, it has 30 days and ends now. Throws `invalid_input`. */
export const readReportPeriod = ({ from, to }: { from?: string; to?: string }, now: Date): TestPeriod => {
  const end = to === undefined ? now : new Date(to);
  const start = new Date(end.getTime() - 30 * 86_400_000).toISOString();
  return readPeriod({ from: from ?? start, to }, now);
};

/** Returns the ids of the submissions in a period. The end of the period is not included. */
export const idsIn = ({ from, to }: TestPeriod): SubmissionRange => ({
  from: firstIdAt(new Date(from)),
  to: Math.max(0, Math.min(firstIdAt(new Date(to)), Number.MAX_SAFE_INTEGER) - 1),
});

/** Returns the tested rule, and the present live rules that run before it. */
export function testedRules(tested: EvaluatedRule, rules: readonly StoredRule[]): TestedRules {
  const others = rules.filter(({ id, mode }) => id !== tested.id && mode === 'live');
  const sorted = inOrder<EvaluatedRule>([...others, tested]);
  const at = sorted.findIndex(({ rule }) => rule === tested);
  const [rule] = sorted.slice(at);
  if (!rule) throw new Error('The tested rule is missing.');
  return { rule, earlier: sorted.slice(0, at) };
}

/** The number of submissions that are read at a time, at most about 1 MB. */
const pageSize = 250;

interface TestStep {
  rules: TestedRules;
  range: SubmissionRange;
  /** In milliseconds since 1970. No page is read after this time. */
  until: number;
  /** The largest number of submissions in `state`. */
  most: number;
}

/**
 * Adds the submissions of a range to a comparison, until a limit is reached. An application is added once, with all of its
 * submissions in the range. Changes `state`. Returns the id with which the next step must begin; undefined if the range is
 * complete.
 */
export async function addSubmissions(
  account: AccountId,
  state: ComparisonState,
  { rules, range, until, most }: TestStep,
): Promise<number | undefined> {
  let { from } = range;
  while (from <= range.to) {
    if (Date.now() >= until || state.applications >= most) return from;
    const page = await readSubmissions(account, { from, to: range.to }, pageSize);
    const later = await readLaterSubmissions(account, page, range.to);
    const counted = new Set(state.counted);
    for (const submission of page) {
      if (counted.delete(submissionName(submission))) continue;
      const resubmissions = later.get(submission.applicationId)?.filter(({ id }) => id > submission.id) ?? [];
      addToComparison(state, rules, submission, resubmissions);
      for (const one of resubmissions) counted.add(submissionName(one));
    }
    state.counted = [...counted];
    const last = page.at(-1);
    if (!last || page.length < pageSize) return undefined;
    from = last.id + 1;
  }
  return undefined;
}
