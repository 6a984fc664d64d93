import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { toggledRule } from '../../shared/sales/underwriting-rules/change-rule.ts';
import { ruleToggled } from '../../shared/sales/underwriting-rules/events.ts';
import { ToggleInput, UnderwritingRule } from '../../shared/sales/underwriting-rules/schema.ts';
import { underwritingRules } from '../../shared/sales/underwriting-rules/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/underwriting-rules/{id}/toggle',
  permission: 'writeUnderwritingRules',
  params: RecordParams,
  body: ToggleInput,
  response: UnderwritingRule,
  errors: ['rule_archived', 'rule_not_tested', 'rule_needs_second_person'],
  emits: ['underwriting_auto_rule_toggled'],
  summary: 'Switch an underwriting rule to off, shadow or live',
  description:
    'A rule becomes live only if its version was tested against at least 20 decided applications, or fewer with `confirmFewApplications`. ' +
    'If the account has `rulesNeedTwoPeople`, only an administrator who did not write the version can make it live. An API key counts as the user who created it.',
  read: ({ account, params }) => underwritingRules.get(account, params.id),
  decide: async (request, before) => {
    const after = await toggledRule(before, request);
    return {
      response: underwritingRules.show(after),
      writes: underwritingRules.replace(before, after),
      events: ruleToggled(before, after),
    };
  },
});
