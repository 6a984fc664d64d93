import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { created } from '../../shared/events/emit.ts';
import {
  newRule,
  readUnderwriter,
  requireMayName,
} from '../../shared/sales/underwriting-rules/change-rule.ts';
import { RuleInput, UnderwritingRule } from '../../shared/sales/underwriting-rules/schema.ts';
import { underwritingRules } from '../../shared/sales/underwriting-rules/store.ts';

export default endpoint({
  method: 'POST',
  path: '/underwriting-rules',
  permission: 'writeUnderwritingRules',
  body: RuleInput,
  response: UnderwritingRule,
  success: 'created',
  errors: ['quota_exceeded', 'user_unknown'],
  emits: ['underwriting_auto_rule_created'],
  rights: ['emails:find'],
  summary: 'Create an underwriting rule',
  description:
    'The rule is off. The details of an error name each fault of the condition by its path, such as `when.all[1].field`. An account has at most 50 rules that are not archived.',
  read: ({ account, body }) => readUnderwriter(account, body.action),
  decide: (request, underwriter) => {
    requireMayName(request.principal, request.body.action);
    const rule = newRule(request, underwriter);
    return {
      response: underwritingRules.show(rule),
      writes: underwritingRules.insert(rule),
      events: created(underwritingRules, 'underwriting_auto_rule_created', underwritingRules.forEvents(rule)),
    };
  },
});
