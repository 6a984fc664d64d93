import { type EvaluatedRule, evaluateRule, mayAct, type ParsedRule, runRules } from './run-rules.ts';
import type { RuleAction, RuleComparison, TestExample } from './schema.ts';
import type { StoredSubmission, SubmissionOutcome } from './submissions.ts';

/**
 * The state of a comparison, which does not grow with the number of submissions, except by `counted`. It is plain JSON,
 * because a long test stores it between its steps.
 */
export interface ComparisonState {
  applications: number;
  decided: number;
  /** Absent in the state of a test that began before it was counted. */
  unknown?: number;
  applied: number;
  acting: number;
  agree: number;
  disagree: number;
  /** The numbers of decisions, by the hours until the decision with two significant digits. */
  hours: Record<string, number>;
  actedFirst: Record<string, RuleComparison['actedFirst'][number]>;
  disagreements: FoundExample[];
  otherExamples: FoundExample[];
  /**
   * The names of later submissions that were counted with an earlier submission of their application. A name is removed
   * when the test reaches its submission. Absent in the state of a test that began before resubmissions were counted once.
   */
  counted?: string[];
}

/** An example, and the id of its submission. */
type FoundExample = TestExample & { submissionId: number };

/** The largest number of examples in a result. */
const maxExamples = 50;

export const emptyComparison = (): ComparisonState => ({
  applications: 0,
  decided: 0,
  applied: 0,
  acting: 0,
  agree: 0,
  disagree: 0,
  hours: {},
  actedFirst: {},
  disagreements: [],
  otherExamples: [],
});

/** The rule of a test, and the other rules, both as `inOrder` returns them. */
export interface TestedRules {
  rule: ParsedRule;
  /** The live rules that run before the tested rule. */
  earlier: readonly ParsedRule[];
}

/** The parts of an action that are compared with a decision. */
type ComparedAction = Pick<RuleAction, 'kind'> & { assignedTo?: string; priority?: string };

/** Reports whether a rule agrees with the decision of a person. Undefined if no person decided. */
export function agreesWith(
  action: ComparedAction,
  { decision }: Pick<SubmissionOutcome, 'decision'>,
): boolean | undefined {
  if (!decision) return undefined;
  switch (action.kind) {
    case 'approve':
      return decision.decision === 'approved';
    case 'request_information':
      return decision.decision === 'info_requested';
    case 'flag':
      return decision.decision !== 'approved';
    case 'assign':
      return (
        (action.assignedTo === undefined || action.assignedTo === decision.assignedTo) &&
        (action.priority === undefined || action.priority === decision.priority)
      );
  }
}

type ComparedSubmission = StoredSubmission & SubmissionOutcome;

/**
 * Adds an application to a comparison: its first submission in the period, and its later submissions in the period, oldest
 * first. The last submission to which the rule applies is compared with the decision about it. Changes `state`.
 */
export function addToComparison(
  state: ComparisonState,
  { rule, earlier }: TestedRules,
  first: ComparedSubmission,
  later: readonly ComparedSubmission[] = [],
): void {
  const submissions = [first, ...later];
  state.applications += 1;
  if (submissions.some(({ decision }) => decision)) state.decided += 1;
  const evaluated = submissions.map((submission) => ({
    submission,
    ...evaluateRule(rule, submission.facts),
  }));
  const found = evaluated.findLast(
    ({ applies, submission }) => applies && mayAct(rule.rule, submission.facts),
  );
  if (found) countApplied(state, { rule, earlier }, found.submission, found.facts);
  else if (evaluated.at(-1)?.applies === undefined) state.unknown = (state.unknown ?? 0) + 1;
}

function countApplied(
  state: ComparisonState,
  { rule, earlier }: TestedRules,
  { id: submissionId, applicationId, facts, decision }: ComparedSubmission,
  reasons: TestExample['facts'],
): void {
  state.applied += 1;
  const first = runRules(earlier, facts).acting;
  if (first) countFirst(state, first);
  else state.acting += 1;
  const agrees = agreesWith(rule.rule.action, { decision });
  if (agrees === true) state.agree += 1;
  if (agrees === false) state.disagree += 1;
  if (decision) countHours(state, Date.parse(decision.decidedAt) - Date.parse(facts.submittedAt));
  const examples = agrees === false ? state.disagreements : state.otherExamples;
  if (examples.length >= maxExamples) return;
  examples.push({
    submissionId,
    applicationId,
    submittedAt: facts.submittedAt,
    ...(decision && { decision: decision.decision }),
    ...(agrees !== undefined && { agrees }),
    ...(first && { actedFirst: referenceTo(first) }),
    facts: reasons,
  });
}

const referenceTo = ({ id, name, ruleVersion }: EvaluatedRule) => ({
  ruleId: id,
  name,
  version: ruleVersion,
});

function countFirst(state: ComparisonState, rule: EvaluatedRule): void {
  const key = `${rule.id}@${rule.ruleVersion}`;
  const counted = state.actedFirst[key] ?? { ...referenceTo(rule), applications: 0 };
  state.actedFirst[key] = { ...counted, applications: counted.applications + 1 };
}

function countHours(state: ComparisonState, milliseconds: number): void {
  const exact = Math.max(0, milliseconds) / 3_600_000;
  const hours = String(exact < 1 ? Math.round(100 * exact) / 100 : Number(exact.toPrecision(2)));
  state.hours[hours] = (state.hours[hours] ?? 0) + 1;
}

/** Returns the lower median of numbers, given how often each number occurs. Undefined if there is no number. */
function medianOf(counts: Readonly<Record<string, number>>): number | undefined {
  const sorted = Object.entries(counts)
    .map(([value, times]) => ({ value: Number(value), times }))
    .sort((one, other) => one.value - other.value);
  const half = sorted.reduce((sum, { times }) => sum + times, 0) / 2;
  let passed = 0;
  for (const { value, times } of sorted) {
    passed += times;
    if (passed >= half) return value;
  }
  return undefined;
}

/** Returns the result of a comparison. */
export function resultOf(state: ComparisonState, { action }: Pick<EvaluatedRule, 'action'>): RuleComparison {
  const { applications, decided, applied, acting, agree, disagree } = state;
  const medianHours = medianOf(state.hours);
  return {
    applications,
    decided,
    actions: [
      {
        action: action.kind,
        applications: applied,
        acting,
        agree,
        disagree,
        undecided: applied - agree - disagree,
        unknown: state.unknown ?? 0,
        ...(medianHours !== undefined && { medianHours }),
      },
    ],
    actedFirst: Object.values(state.actedFirst).sort((one, other) => other.applications - one.applications),
    examples: examplesIn(state).map(({ submissionId: _, ...example }) => example),
  };
}

/** Returns the examples of a result. */
export const examplesIn = ({ disagreements, otherExamples }: ComparisonState): FoundExample[] =>
  [...disagreements, ...otherExamples].slice(0, maxExamples);

/** Returns the state without the facts of its examples, which must not remain when an application is deleted. */
export function withoutExampleFacts(state: ComparisonState): ComparisonState {
  const stripped = (examples: readonly FoundExample[]) =>
    examples.map((example) => ({ ...example, facts: [] }));
  return {
    ...state,
    disagreements: stripped(state.disagreements),
    otherExamples: stripped(state.otherExamples),
  };
}
