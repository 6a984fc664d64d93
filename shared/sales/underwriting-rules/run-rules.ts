import { firstCharacters } from '../../table/cut-text.ts';
import { type Condition, evaluate, type Fact } from '../applications/completeness/condition.ts';
import type { RuleResult } from '../applications/record/schema.ts';
import { parseCondition } from './parse-condition.ts';
import type { RuleAction, StoredRule } from './schema.ts';
import type { SubmissionFacts } from './submission-facts.ts';

/** A rule that is evaluated. An unsaved rule has neither id nor version. */
export type EvaluatedRule = Pick<
  StoredRule,
  'name' | 'when' | 'action' | 'priority' | 'mode' | 'ruleVersion'
> & {
  id: number;
};

/** A rule with its parsed condition. */
export interface ParsedRule<R extends EvaluatedRule = EvaluatedRule> {
  rule: R;
  condition: Condition<string>;
}

/** The result of one rule, as the application shows it. */
interface Evaluated<R extends EvaluatedRule> {
  parsed: ParsedRule<R>;
  /** Undefined if the condition is unknown, because a tested field is empty. An unknown rule does not act. */
  applies: boolean | undefined;
  facts: Fact[];
}

const shownFacts = 8;
const shownCharacters = 100;
/** The largest number of facts in all results, so that many rules do not make the application too large. */
const factsOfAllRules = 100;

/** Sorts rules in the order in which they run: by priority, then the oldest first. Parses their conditions. */
export const inOrder = <R extends EvaluatedRule>(rules: readonly R[]): ParsedRule<R>[] =>
  rules
    .toSorted((one, other) => one.priority - other.priority || one.id - other.id)
    .map((rule) => ({ rule, condition: parseCondition(rule.when).condition }));

/** Evaluates one rule. The facts contain no sensitive value. */
export function evaluateRule<R extends EvaluatedRule>(
  parsed: ParsedRule<R>,
  { form, method, collisions, submittedAt }: SubmissionFacts,
): Evaluated<R> {
  const context = { form, method, collisions, now: new Date(submittedAt) };
  const { holds, facts } = evaluate(parsed.condition, context);
  return { parsed, applies: holds, facts: facts.slice(0, shownFacts).map(shortened) };
}

const shortened = (fact: Fact): Fact =>
  typeof fact.value === 'string' ? { ...fact, value: firstCharacters(fact.value, shownCharacters) } : fact;

/**
 * Reports whether a rule may act on a submission. A rule requests information from an application only once. Otherwise, an
 * applicant who cannot change the answer could never submit the application.
 */
export const mayAct = ({ action, id }: EvaluatedRule, { requestedBy }: SubmissionFacts): boolean =>
  action.kind !== 'request_information' || !requestedBy.includes(id);

const shownAction = (action: RuleAction): Pick<RuleResult, 'action' | 'assignedTo' | 'priority'> => ({
  action: action.kind,
  ...(action.kind === 'assign' && {
    ...(action.assignedTo !== undefined && { assignedTo: action.assignedTo }),
    ...(action.priority !== undefined && { priority: action.priority }),
  }),
});

/**
 * Runs rules that `inOrder` sorted. The first live rule that applies and may act is `acting`. The results contain
 * `acted: false`, because the caller must first try to act.
 */
export function runRules<R extends EvaluatedRule>(
  rules: readonly ParsedRule<R>[],
  facts: SubmissionFacts,
): { results: RuleResult[]; acting?: R } {
  const evaluated = rules
    .filter(({ rule }) => rule.mode !== 'off')
    .map((parsed) => evaluateRule(parsed, facts));
  const acting = evaluated.find(
    ({ applies, parsed: { rule } }) => applies && rule.mode === 'live' && mayAct(rule, facts),
  );
  let left = factsOfAllRules;
  const bounded = (reasons: Fact[]): Fact[] => {
    const shown = reasons.slice(0, left);
    left -= shown.length;
    return shown;
  };
  return {
    results: evaluated.map(({ parsed: { rule }, applies, facts: reasons }) => ({
      ruleId: rule.id,
      name: rule.name,
      version: rule.ruleVersion,
      mode: rule.mode,
      ...shownAction(rule.action),
      applied: applies === true,
      ...(applies === undefined && { unknown: true }),
      acted: false,
      ...(applies && !mayAct(rule, facts) && { problem: 'has already requested information' }),
      facts: bounded(reasons),
    })),
    ...(acting && { acting: acting.parsed.rule }),
  };
}
