import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { UnderwritingRule } from '../../shared/sales/underwriting-rules/schema.ts';
import { underwritingRules } from '../../shared/sales/underwriting-rules/store.ts';

export default readRecord(underwritingRules, {
  path: '/underwriting-rules/{id}',
  permission: 'readUnderwritingRules',
  response: UnderwritingRule,
  summary: 'Read an underwriting rule',
});
