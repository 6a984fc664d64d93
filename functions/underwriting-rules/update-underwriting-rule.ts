import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';
import {
  changedRule,
  readUnderwriter,
  requireMayName,
} from '../../shared/sales/underwriting-rules/change-rule.ts';
import { ruleToggled } from '../../shared/sales/underwriting-rules/events.ts';
import { RulePatch, UnderwritingRule } from '../../shared/sales/underwriting-rules/schema.ts';
import { underwritingRules } from '../../shared/sales/underwriting-rules/store.ts';
import { readAndCheck } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { sameValue } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PATCH',
  path: '/underwriting-rules/{id}',
  permission: 'writeUnderwritingRules',
  params: RecordParams,
  body: RulePatch,
  response: UnderwritingRule,
  errors: ['rule_archived', 'user_unknown'],
  emits: ['underwriting_auto_rule_updated', 'underwriting_auto_rule_toggled'],
  rights: ['emails:find'],
  summary: 'Change the given fields of an underwriting rule',
  description:
    'A change of when, action or priority creates a new version, which is not tested. A live rule then becomes a shadow rule.',
  read: ({ account, params, body }) =>
    readAndCheck(
      underwritingRules.get(account, params.id),
      readUnderwriter(account, body.action),
      ({ action }) => sameValue(action, body.action),
    ),
  decide: async (request, [before, underwriter]) => {
    requireMayName(request.principal, request.body.action);
    await request.checkReadOnly(() => underwritingRules.show(before));
    const after = changedRule(before, request, underwriter);
    const [from, to] = [underwritingRules.forEvents(before), underwritingRules.forEvents(after)];
    return {
      response: underwritingRules.show(after),
      writes: underwritingRules.replace(before, after),
      events: [
        ...updated(underwritingRules, 'underwriting_auto_rule_updated', from, to),
        ...ruleToggled(before, after),
      ],
    };
  },
});
