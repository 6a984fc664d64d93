import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import {
  checkDefinition,
  readUnderwriter,
  requireMayName,
  withUnderwriter,
} from '../../shared/sales/underwriting-rules/change-rule.ts';
import { testUnsavedRule } from '../../shared/sales/underwriting-rules/run-test.ts';
import { RuleTestRun, UnsavedTestInput } from '../../shared/sales/underwriting-rules/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/underwriting-rules/test',
  permission: ['writeUnderwritingRules', 'readApplications', 'readMerchants'],
  body: UnsavedTestInput,
  response: RuleTestRun,
  errors: ['test_too_long', 'user_unknown'],
  rights: ['emails:find'],
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Compare an underwriting rule that is not saved with the decisions of people',
  description:
    'Like the test of a saved rule, but nothing is recorded, and a test cannot continue in the background. A request counts as ten requests of the caller’s limit.',
  read: async (input) => {
    const { rule, ...period } = input.body;
    checkDefinition(rule, 'rule.');
    const underwriter = await readUnderwriter(input.account, rule.action);
    return testUnsavedRule(input, { ...rule, action: withUnderwriter(rule.action, underwriter) }, period);
  },
  decide: ({ principal, body }, response) => {
    requireMayName(principal, body.rule.action);
    return { response };
  },
});
