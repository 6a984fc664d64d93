import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { RuleComparison, StoredRule } from './schema.ts';
import { underwritingRules } from './store.ts';

const subjectFor = (rule: StoredRule) => subjectOf(underwritingRules, underwritingRules.forEvents(rule));

/** Returns the event of a new mode. Returns no event if the mode did not change. */
export const ruleToggled = (before: StoredRule, after: StoredRule): EventDraft[] =>
  before.mode === after.mode
    ? []
    : [
        {
          kind: 'underwriting_auto_rule_toggled',
          subject: subjectFor(after),
          data: { from: before.mode, to: after.mode, ruleVersion: after.ruleVersion },
        },
      ];

export function ruleTested(
  rule: StoredRule,
  { applications, decided, actions }: RuleComparison,
): EventDraft[] {
  const sumOf = (field: 'agree' | 'disagree') => actions.reduce((sum, action) => sum + action[field], 0);
  const data = {
    ruleVersion: rule.ruleVersion,
    applications,
    decided,
    agree: sumOf('agree'),
    disagree: sumOf('disagree'),
  };
  return [{ kind: 'underwriting_auto_rule_tested', subject: subjectFor(rule), data }];
}
