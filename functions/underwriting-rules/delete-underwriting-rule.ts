import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { UnderwritingRule } from '../../shared/sales/underwriting-rules/schema.ts';
import { underwritingRules } from '../../shared/sales/underwriting-rules/store.ts';

export default patchRecord(underwritingRules, {
  method: 'DELETE',
  path: '/underwriting-rules/{id}',
  permission: 'writeUnderwritingRules',
  response: UnderwritingRule,
  errors: ['quota_exceeded'],
  emits: 'underwriting_auto_rule_updated',
  set: { archived: true, mode: 'off' },
  summary: 'Archive an underwriting rule',
  description:
    'The rule is switched off for ever and remains readable. An account has at most 1,000 archived rules.',
});
