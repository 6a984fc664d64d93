import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { finishTest, readRuleTest } from '../../shared/sales/underwriting-rules/run-test.ts';
import { PeriodInput, RuleTestRun } from '../../shared/sales/underwriting-rules/schema.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/underwriting-rules/{id}/test',
  // The result contains facts of applications, and the number of records with the same sensitive values.
  permission: ['writeUnderwritingRules', 'readApplications', 'readMerchants'],
  params: RecordParams,
  body: PeriodInput,
  response: RuleTestRun,
  errors: ['rule_archived'],
  emits: ['underwriting_auto_rule_tested'],
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Compare an underwriting rule with the decisions of people',
  description:
    'Evaluates the submissions of a period with the facts that were stored at each submission. Records the test with the version of the rule. ' +
    'A test of more than 10,000 submissions continues in the background. A request counts as ten requests of the caller’s limit.',
  read: readRuleTest,
  decide: (request, test) => finishTest(test, request),
});
