import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readTestRun } from '../../shared/sales/underwriting-rules/run-test.ts';
import { RuleTestParams, RuleTestRun } from '../../shared/sales/underwriting-rules/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/underwriting-rules/{id}/tests/{testId}',
  permission: ['readUnderwritingRules', 'readApplications', 'readMerchants'],
  params: RuleTestParams,
  response: RuleTestRun,
  summary: 'Read the progress or the result of a test that continues in the background',
  description: 'Tests are kept for 30 days.',
  read: ({ account, params, now }) => readTestRun(account, params, now),
  decide: (_, response) => ({ response }),
});
